// Counts the draw again from the tables on the page and says whether the server found the same.
import { countAgain, differences } from "./draw_check.js";

const data = document.getElementById("draw-data");
const said = document.getElementById("browser-check");

if (data && said) {
  const { rounds, counted, words } = JSON.parse(data.textContent);
  const wrong = differences(counted, countAgain(rounds));
  said.textContent = wrong.length ? `${said.dataset.bad} ${wrong.map((name) => words[name]).join(", ")}` : said.dataset.good;
  said.dataset.state = wrong.length ? "bad" : "good";
}
