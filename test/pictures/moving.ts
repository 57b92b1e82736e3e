import type {Cell, Screen} from '../helpers/screen.ts';
import {pictureSvg, rowSvg} from './render.ts';

/** The cells of a screen at one moment, by row. */
export type Frame = readonly (readonly Cell[])[];

export const frameOf = (screen: Screen): Frame =>
	Array.from({length: screen.rows}, (_, row) =>
		Array.from({length: screen.columns}, (_, column) => screen.cell(row, column)),
	);

/** The frames `from` to `until`, that one excluded. */
type Span = {readonly from: number; readonly until: number};

/**
 * Frames of one size as an SVG that plays them, `stepMs` each, without end. What stays as it is in some frames is written
 * once; only CSS moves it, so that it also plays as an `<img>`. Who asks for less motion sees the first frame.
 */
export function movingSvg(frames: readonly Frame[], stepMs: number): string {
	const rows = frames[0]?.length ?? 0;
	const columns = frames[0]?.[0]?.length ?? 0;
	const groups = new Map<string, {readonly span: Span; readonly cells: Map<number, [number, Cell][]>}>();
	for (let row = 0; row < rows; row++) {
		for (let column = 0; column < columns; column++) {
			for (const [span, cell] of spans(frames.map(frame => frame[row]?.[column]))) {
				const key = `${span.from} ${span.until}`;
				const group = groups.get(key) ?? {span, cells: new Map()};
				groups.set(key, group);
				group.cells.set(row, [...(group.cells.get(row) ?? []), [column, cell]]);
			}
		}
	}

	const loopMs = frames.length * stepMs;
	const lengths = new Set<number>();
	const elements: string[] = [];
	for (const {span, cells} of groups.values()) {
		const painted = [...cells].map(([row, list]) => rowSvg(row, list)).join('');
		const lengthMs = (span.until - span.from) * stepMs;
		if (painted === '') continue;
		if (lengthMs === loopMs) elements.push(painted);
		else {
			lengths.add(lengthMs);
			elements.push(`<g class="for${lengthMs}" style="animation-delay:${span.from * stepMs}ms">${painted}</g>`);
		}
	}

	const style = [
		'<style>',
		`g[class]{visibility:hidden;animation:${loopMs}ms step-end infinite}`,
		...[...lengths].toSorted((a, b) => a - b).map(lengthMs => lengthRule(lengthMs, loopMs)),
		// The first frame, still.
		'@media (prefers-reduced-motion:reduce){g[class]{animation:none}g[style="animation-delay:0ms"]{visibility:visible}}',
		'</style>',
	];
	return pictureSvg({columns, rows, head: style.join('\n')}, elements);
}

/** Shown for `lengthMs`, counted from the delay of the element, then hidden until the loop is over. */
function lengthRule(lengthMs: number, loopMs: number): string {
	const share = Number(((100 * lengthMs) / loopMs).toFixed(4));
	const name = `for${lengthMs}`;
	return `g.${name}{animation-name:${name}}@keyframes ${name}{0%{visibility:visible}${share}%,100%{visibility:hidden}}`;
}

/** The looks of a cell that are not blank, each with the frames that it stays for. */
function* spans(looks: readonly (Cell | undefined)[]): Generator<readonly [Span, Cell]> {
	let from = 0;
	for (let until = 1; until <= looks.length; until++) {
		const cell = looks[from];
		if (cell && until < looks.length && sameLook(cell, looks[until])) continue;
		if (cell) yield [{from, until}, cell];
		from = until;
	}
}

const sameLook = (a: Cell, b: Cell | undefined): boolean => JSON.stringify(a) === JSON.stringify(b);

/** What `movingSvg` shows at a time, without the rest, for programs that do not play it. */
export function stillSvg(svg: string, atMs: number): string {
	return svg
		.replace(/<style>.*?<\/style>\n/s, '')
		.replaceAll(
			/<g class="for(\d+)" style="animation-delay:(\d+)ms">(.*?)<\/g>\n/gs,
			(_, lengthMs: string, fromMs: string, painted: string) =>
				atMs >= Number(fromMs) && atMs < Number(fromMs) + Number(lengthMs) ? `${painted}\n` : '',
		);
}
