// The button that opens the browser's print dialogue; without JavaScript there is the browser's own.
const button = document.getElementById("print");
button.hidden = false;
button.addEventListener("click", () => window.print());
