// The leaderboard.
import { html } from "npm:htl";
import { FileAttachment } from "observablehq:stdlib";
import { Plot, plot } from "./chart.js";
import { nothing } from "./figure.js";

export async function leaderboardPage(): Promise<HTMLElement> {
  const { board } = (await FileAttachment("../data/board.json").json()) as {
    board: { run_id: string; accuracy: number }[];
  };
  if (board.length === 0) return nothing("Nothing is published yet.");
  return html`<div>${plot(600, { marginLeft: 200, marks: [Plot.dot(board, { x: "accuracy", y: "run_id" })] })}</div>`;
}
