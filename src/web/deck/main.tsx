/** The operator's page: draws the events of `/deck/events`. */
import "../parts/language.ts";
import "uplot/dist/uPlot.min.css";
import "../parts/base.css";
import "./deck.css";
import { render } from "preact";
import { Deck } from "./deck.tsx";

const place = document.getElementById("deck");
if (place) {
  place.textContent = "";
  render(<Deck />, place);
}
