import {capabilityFlags, type ExchangeInfo} from '../../../market/types.ts';
import {labelledRows} from '../../labelled.ts';
import type {Line, Size, Tone} from '../../line.ts';
import {marksFor} from '../../marks.ts';

type Word = {readonly text: string; readonly tone: Tone};
const flagWords: Record<'true' | 'false' | 'null', Word> = {
	true: {text: 'true', tone: 'up'},
	false: {text: 'false', tone: 'down'},
	null: {text: 'no value', tone: 'muted'},
};

type Row = readonly [label: string, text: string | undefined, tone?: Tone];

const labelColumns = 18;
const rows = ([label, text, tone]: Row, none: string, size: Size): readonly Line[] =>
	labelledRows({label, labelTone: 'muted', text: text || none, tone}, labelColumns, size);

const capabilities: Line = [{text: ' Capabilities', tone: 'title'}];

/** What the exchange says about itself, and its eight capability flags. As many rows as that takes at this width. */
export function infoBody(info: ExchangeInfo, size: Size, ascii: boolean): readonly Line[] {
	const said: readonly Row[] = [
		['name', info.name, 'strong'],
		['description', info.description],
		['location', info.location],
		['website', info.website],
		['logo', info.logo],
		['twitter', info.twitter],
		['interface version', info.version],
	];
	const flags = capabilityFlags.map((flag): Row => {
		const {text, tone} = flagWords[`${info.capability[flag]}`];
		return [flag, text, tone];
	});
	const {none} = marksFor(ascii);
	const shown = (items: readonly Row[]) => items.flatMap(item => rows(item, none, size));
	return [...shown(said), [], capabilities, ...shown(flags)];
}

/** The labels of the flags, while the answer is awaited. */
export function infoSkeleton(size: Size, ascii: boolean): readonly Line[] {
	const dots = marksFor(ascii).skeleton.repeat(8);
	return [capabilities, ...capabilityFlags.flatMap(flag => rows([flag, dots, 'muted'], dots, size))];
}
