// A form that came back says first what is wrong with it: reading goes on there, not at the top of the page.
document.getElementById("errors")?.focus();
