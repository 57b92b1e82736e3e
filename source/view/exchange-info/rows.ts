import {padEnd} from '../../format/cells.ts';
import {capabilityFlags, type ExchangeInfo} from '../../market/types.ts';
import type {Line, Size, Tone} from '../line.ts';
import {marksFor} from '../marks.ts';

type Word = {readonly text: string; readonly tone: Tone};
const flagWords: Record<'true' | 'false' | 'null', Word> = {
	true: {text: 'true', tone: 'up'},
	false: {text: 'false', tone: 'down'},
	null: {text: 'no value', tone: 'muted'},
};

type Row = readonly [label: string, text: string | undefined, tone?: Tone];

const row = ([label, text, tone]: Row, none: string): Line => [
	{text: ` ${padEnd(label, 18)}`, tone: 'muted'},
	{text: text || none, tone},
];

const capabilities: Line = [{text: ' Capabilities', tone: 'title'}];

/** What the exchange says about itself, and its eight capability flags. */
export function infoBody(info: ExchangeInfo, ascii: boolean): readonly Line[] {
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
	return [...said.map(item => row(item, none)), [], capabilities, ...flags.map(item => row(item, none))];
}

/** The labels of the flags, while the answer is awaited. */
export function infoSkeleton(_size: Size, ascii: boolean): readonly Line[] {
	const dots = marksFor(ascii).skeleton.repeat(8);
	return [capabilities, ...capabilityFlags.map(flag => row([flag, dots, 'muted'], dots))];
}
