import type {Size} from './line.ts';

/** What the layout and the focus give every panel. Numbers and booleans only, so that a memo can compare them. */
export type PanelProps = {
	readonly columns: number;
	readonly rows: number;
	readonly focused: boolean;
};

export const sizeOf = ({columns, rows}: PanelProps): Size => ({columns, rows});
