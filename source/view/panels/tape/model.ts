import type {Size} from '../../../format/cells.ts';
import {formatFixed, formatSigned} from '../../../format/number.ts';
import {formatZonedClock} from '../../../format/time.ts';
import {fromLocal, isUtc, localDayOf, utc, type Zone, zoneLabel} from '../../../format/zone.ts';
import type {Assets} from '../../../market/fill.ts';
import {shared} from '../../../market/memo.ts';
import {noMinimum} from '../../../market/minimum.ts';
import type {Decimals} from '../../../market/precision.ts';
import type {Tape} from '../../../market/tape.ts';
import {hasSides, isPartial, type TapeSums, tapeSums} from '../../../market/tape-sums.ts';
import {dayMs} from '../../../market/units.ts';
import type {Resource} from '../../../store/resource.ts';
import {completeTo} from '../../../store/trade-time.ts';
import type {Line} from '../../line.ts';
import {dotted, marksFor} from '../../marks.ts';
import {outdatedAt, type PanelView, resourcePanel} from '../../resource-panel.ts';
import type {TapeView} from './list.ts';
import {minimumText, type TapeInput, tapeBody, tapeSkeleton} from './rows.ts';

type TapePanelInput = PanelView &
	TapeView & {
		readonly tape: Resource<Tape>;
		readonly decimals: Decimals;
		readonly assets?: Assets | undefined;
		readonly zoomed?: boolean | undefined;
	};

const bodyOf = shared(
	({tape}: Omit<TapeInput, 'size' | 'decimals' | 'now'> & Size & Decimals & {readonly day: number}) => tape,
	({price, quantity, columns, rows, day, ...input}) =>
		tapeBody({
			...{...input, decimals: {price, quantity}, size: {columns, rows}},
			now: fromLocal(day * dayMs, input.zone ?? utc),
		}),
);

/** The rows of `tapeBody`, drawn once for all screens with the same tape and view. They change at midnight, but not each second. */
export function sharedTape({tape, decimals, size, now, ascii, zone = utc, ...view}: TapeInput): readonly Line[] {
	const {assets, zoomed, minimum = noMinimum, merged = false, anchor} = view;
	const day = localDayOf(now, zone);
	return bodyOf({tape, ...decimals, ...size, day, ascii, zone, assets, zoomed, minimum, merged, anchor});
}

/** The framed tape. For the same `input` only its age is computed again. */
export function tapePanel(input: TapePanelInput, now: number): readonly Line[] {
	const {tape, decimals, ascii, zone = utc} = input;
	const sums = tape.status === 'ready' ? tapeSums(tape.data, completeTo(tape)) : undefined;
	return resourcePanel({
		...input,
		now,
		resource: tape,
		command: 'go-to-tape',
		titles: tapeTitles(input, now),
		footers: sums && paceTexts(sums, decimals.quantity, ascii, outdatedAt(tape, now), zone),
		footerTone: sums && isPartial(sums) ? 'warn' : 'muted',
		body: (data, size) => sharedTape({...input, tape: data, size, now}),
		skeleton: tapeSkeleton,
	});
}

/** `Tape · min 10,000 USDT`, in another zone than UTC `Tape +01:00`, from long to short. */
function tapeTitles({minimum, assets = {}, ascii, zone = utc}: TapePanelInput, now: number): readonly string[] {
	const titles = isUtc(zone) ? ['Tape'] : [`Tape ${zoneLabel(zone, now)}`, 'Tape'];
	if (minimum.size === 0) return titles;
	const least = ` ${marksFor(ascii).separator} min ${minimumText(minimum, assets, ascii)}`;
	return [...titles.map(title => title + least), ...titles];
}

/**
 * Cumulative delta and trades per minute, from long to short, after `partial` if trades may be missing or the delta lacks those
 * without a side. `at`: epoch ms at which the trades per minute were counted, if that is not now; it is named, or they are left out.
 */
export function paceTexts(
	sums: TapeSums,
	quantityDecimals: number,
	ascii: boolean,
	at?: number,
	zone: Zone = utc,
): readonly string[] {
	if (sums.since === undefined) return [];
	const marks = marksFor(ascii);
	const delta = `${marks.delta} ${formatSigned(sums.delta, quantityDecimals, {ascii})}`;
	const rate = `${sums.perMinutePartial ? marks.atLeast : ''}${formatFixed(sums.perMinute, 0)}/min`;
	const pace = at === undefined ? [rate] : [];
	const partial = isPartial(sums) ? ['partial'] : [];
	const short = [...partial, ...(hasSides(sums) ? [delta] : []), ...pace];
	const since = `since ${formatZonedClock(sums.since, zone)}`;
	const dated = at === undefined ? [] : [[...short, `${rate} at ${formatZonedClock(at, zone)}`]];
	return [...dated, [...short, since], short, [...partial, ...pace]].map(parts => dotted(parts, ascii)).filter(Boolean);
}
