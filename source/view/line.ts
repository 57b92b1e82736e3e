/** What a piece of text means; the theme decides how it looks. */
export type Tone =
	| 'plain' // neutral body text
	| 'muted' // labels, units, ages, grid
	| 'strong' // the one number to read first
	| 'up' // rise, buy, bid
	| 'down' // fall, sell, ask
	| 'upBar' // bar of a bid behind or beside its row
	| 'downBar'
	| 'title' // a panel's name
	| 'focus' // border and title of the focused panel
	| 'border'
	| 'accent' // key hints, favourite stars, the last price
	| 'warn' // stale, gap, crossed, partial
	| 'error';

/** A run of text in one style. `inverse` is the cursor row or a one-second flash. */
export type Span = {
	readonly text: string;
	readonly tone?: Tone | undefined;
	readonly inverse?: boolean | undefined;
};

/** One row of the screen, left to right. */
export type Line = readonly Span[];

/** Cells, as the terminal counts them. */
export type Size = {readonly columns: number; readonly rows: number};
