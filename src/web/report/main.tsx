/** The report page: draws the data in the same file. */
import "../parts/language.ts";
import "uplot/dist/uPlot.min.css";
import "../parts/base.css";
import "./report.css";
import { render } from "preact";
import type { SheetPage } from "../../lab/sheet/sheet-data.ts";
import { Report } from "./report.tsx";

const data = document.getElementById("data")?.textContent;
const place = document.getElementById("report");
if (data && place) render(<Report data={JSON.parse(data) as SheetPage} />, place);
