import type {Budget} from '../../../client/exchange.ts';
import type {Ask} from '../../../client/question.ts';
import {fixedDigits, formatCount} from '../../../format/number.ts';
import {formatAge, formatClock, formatWaiting, formatZonedClock} from '../../../format/time.ts';
import {utc, zoneLabels} from '../../../format/zone.ts';
import {operationTitle, type ReadFailure} from '../../../market/types.ts';
import type {ReplayStatus} from '../../../recording/replay-controls.ts';
import {clockSkew, clockWords} from '../../../store/clock-skew.ts';
import {arrivedAt, isUnanswered, type Resource} from '../../../store/resource.ts';
import {hasMarkets, longestWaitMs, type MarketState, type MarketStore} from '../../../store/state.ts';
import {stampsAhead, stampsAndClockWords, stampsWords} from '../../../store/trade-time.ts';
import type {Command} from '../../commands/command.ts';
import {keyHintOf} from '../../keys.ts';
import type {PanelName} from '../../layout.ts';
import type {Writing} from '../../line.ts';
import {fitLine, type Line, lineWidth, type Span, type Tone} from '../../line.ts';
import {dotted, firstFitting} from '../../marks.ts';
import {faultTexts} from '../../text-edit.ts';
import type {AlertStatus} from '../alerts/status-texts.ts';
import {firstKeys, hints} from './hints.ts';
import {leastReplay, replayLine} from './replay-rows.ts';

/** Polled often. */
const liveNames = ['depth', 'trades', 'tickers', 'candles'] as const;
const polledNames = [...liveNames, 'markets'] as const;

/** The parts of the market's state that the status line shows. */
export const statusParts = ['budget', 'pending', 'choice', 'paused', ...polledNames] as const;

export type StatusInput = Writing & {
	readonly state: Pick<MarketState, (typeof statusParts)[number]>;
	/** The name from the exchange or the configuration. */
	readonly exchangeName: string;
	readonly demo: boolean;
	readonly now: number;
	readonly columns: number;
	readonly rows: 1 | 2;
	/** The resources on screen; hidden ones are not polled and do not affect the state of the feed. Absent: all. */
	readonly visible?: ReadonlySet<Ask> | undefined;
	/** Commands for the key hints; absent: no keyboard, so no hints. */
	readonly commands?: readonly Command[] | undefined;
	/** The panel whose own keys are hinted at, besides those that act everywhere. */
	readonly focus?: PanelName | undefined;
	/** Whether a newcomer sees it, who has pressed no key yet: what to press next is in place of the hints. Default: not. */
	readonly isFirst?: boolean | undefined;
	/** Why the last key changed nothing, in place of the hints; in short where there is no room for it. */
	readonly notice?: string | undefined;
	/** What waits to be acknowledged, in place of the hints, and which alerts are blind, after the state of the feed. */
	readonly alert?: AlertStatus | undefined;
	/** Shown after the state of the feed. */
	readonly more?: string | undefined;
	/** Frames that a slow terminal missed. Default 0. */
	readonly droppedFrames?: number | undefined;
	/** The recorded moment that is shown; absent: the present. */
	readonly replay?: ReplayStatus | undefined;
};

/** `why`: the error of the first failing poll. `brief`: the text where that does not fit. */
type Health = {
	readonly text: string;
	readonly tone: Tone;
	readonly why?: string | undefined;
	readonly brief?: string | undefined;
};

type FeedInput = Pick<StatusInput, 'state' | 'visible' | 'now' | 'zone'>;

/** The visible ones of these resources. */
const shownOf = <Name extends Ask>(names: readonly Name[], {visible}: FeedInput): readonly Name[] =>
	names.filter(name => visible?.has(name) ?? true);

const liveResources = (input: FeedInput): readonly Resource<unknown>[] =>
	shownOf(liveNames, input).map(name => input.state[name]);

/** How the read failed that would have given the book its bids; empty if it did not. */
function bidsFailures({depth}: StatusInput['state']): readonly ReadFailure[] {
	const failure = depth.status === 'ready' && !depth.failure ? depth.data.bidsFailure : undefined;
	return failure ? [failure] : [];
}

/** What the last reads of the visible resources show together. */
function health(input: FeedInput): Health {
	const {state, now, zone} = input;
	if (state.paused) return {text: 'PAUSED', tone: 'warn'};
	const live = liveResources(input);
	const shown = shownOf(polledNames, input);
	const failures = [...live, state.markets].flatMap(
		resource => (resource.status === 'waiting' ? resource.held : resource.failure) ?? [],
	);
	const errors = [...failures.map(({error}) => error), ...(shown.includes('depth') ? bidsFailures(state) : [])];
	// The market list is polled too rarely for its last answer to show that the exchange still answers.
	const hasAnswer = live.some(resource => resource.status === 'ready' && !resource.failure);
	const [first] = errors;
	if (!first) {
		const waitMs = longestWaitMs(state, shown, now);
		if (waitMs !== undefined) return {text: formatWaiting(waitMs), tone: 'warn'};
		return hasAnswer ? {text: 'live', tone: 'good'} : {text: 'waiting', tone: 'muted'};
	}

	const lastAnswerAt = Math.max(...polledNames.map(name => answeredAt(state[name])));
	const failingSince = Math.min(...failures.map(({since}) => since));
	// Polls that have not failed may only not have been due since.
	const noneAnswers = !hasAnswer || (lastAnswerAt < failingSince && now - failingSince >= leastFailingMs);
	/** Whether a request waits that was sent after the last answer. */
	const isSilent = Math.max(...shown.map(name => state.pending[name] ?? -Infinity)) > lastAnswerAt;
	const why = first.brief;
	if (errors.every(({kind}) => kind === 'frozen-clock')) return {text: 'data may be old', tone: 'warn', why};
	if (noneAnswers && errors.some(({kind}) => kind === 'held')) return {text: 'waiting', tone: 'warn', why};
	if ((noneAnswers || isSilent) && errors.every(isUnanswered)) {
		const brief = 'no answer';
		const since = lastAnswerAt > -Infinity ? ` since ${formatZonedClock(lastAnswerAt, zone)}` : '';
		return {text: brief + since, tone: 'error', why, brief};
	}

	if (noneAnswers) return {text: 'failing', tone: 'error', why};
	return {text: 'partly failing', tone: 'warn', why: `${operationTitle(first)}: ${why}`};
}

/** One failure among good answers is not a failing exchange. */
const leastFailingMs = 2000;

const severities: readonly Tone[] = ['good', 'muted', 'warn', 'error'];

/** Of several markets on one screen, the first of those with the worst feed. */
export function worstFeed<Shown extends {readonly store: Pick<MarketStore, 'getSnapshot'>}>(
	markets: readonly Shown[],
	now: number,
): Shown | undefined {
	const severity = ({store}: Shown) => severities.indexOf(health({state: store.getSnapshot(), now}).tone);
	return markets.toSorted((one, other) => severity(other) - severity(one))[0];
}

const answeredAt = (resource: Resource<unknown>): number =>
	resource.status === 'ready' ? arrivedAt(resource) : -Infinity;

/** A shorter wait of a request is not shown. */
const leastShownWaitMs = 1000;

const waitText = ({freeAt}: Budget, now: number): string =>
	freeAt === undefined || freeAt - now < leastShownWaitMs ? '' : `next request in ${formatAge(freeAt - now)}`;

/** The request rate, the most that is allowed, and how long the next request waits unless that is short. */
export const budgetText = (budget: Budget, now: number): string => {
	const rate = `${fixedDigits(budget.used, 1)} of ${fixedDigits(budget.allowed, 1)} req/s`;
	return [rate, waitText(budget, now)].filter(Boolean).join(', ');
};

/** Stands for a notice that does not fit. */
const noEffect = 'no effect here';

const noticeLine = (notice: string): Line => [{text: ` ${notice}`, tone: 'warn'}];

/** The first keys for a newcomer, else the hints. */
const keyLine = ({commands = [], focus, ascii, isFirst}: StatusInput, columns: number): Line =>
	isFirst ? firstKeys(commands, ascii, columns) : hints(commands, focus, ascii, columns);

/** Always shown: the numbers are invented. */
const demoMark = 'DEMO';

/** The recorded moment in place of the feed of the present, with the keys, a notice or what waits below or, in one row, beside it. */
function replayLines(input: StatusInput, replay: ReplayStatus): readonly Line[] {
	const {columns, rows, ascii, zone, commands, focus, notice, demo, more, alert} = input;
	const {text, tone, why} = health(input);
	const failing = tone === 'good' || tone === 'muted' ? [] : [{text: ` ${why ?? text}`, tone}];
	const rules = (alert?.blind ?? []).slice(0, 1).map((blind): Span => ({text: ` ${blind}`, tone: 'warn'}));
	const marks = [demo ? demoMark : '', more ?? '']
		.filter(Boolean)
		.map((mark): Span => ({text: ` ${mark}`, tone: 'warn'}));
	const waiting = waitingTexts(input);
	const messages = waiting.length > 0 ? waiting : noticeTexts(notice);
	const show = (beside: readonly string[], keys: Line = []): Line => {
		const room = columns - lineWidth(keys);
		const shown = {marks, feed: [...failing, ...rules], messages: beside, isWaiting: waiting.length > 0, ascii, zone};
		return [...replayLine(replay, {...shown, columns: room}), ...keys];
	};
	if (rows === 1) {
		const room = messages.length === 0 ? columns - leastReplay(replay, ascii, zone) - (more?.length ?? 0) : 0;
		return [show(messages, commands && room > 0 ? hints(commands, focus, ascii, room) : [])];
	}

	return [show([]), ...lowerRow({...input, isFirst: false}, waiting)];
}

/** What waits, with the keys, a notice, or the keys alone; there is no row without any. */
function lowerRow(input: StatusInput, waiting: readonly string[]): readonly Line[] {
	const {columns, commands, notice} = input;
	if (waiting.length > 0) {
		const taken = [{text: ' '}, waitingSpan(waiting, columns - 1)];
		// Its key then acknowledges what waits.
		const acting = {...input, commands: commands?.filter(({name}) => name !== 'back'), isFirst: false};
		return [fitLine([...taken, ...keyLine(acting, columns - lineWidth(taken))], columns)];
	}

	const below = notice === undefined ? commands && keyLine(input, columns) : noticeLine(notice);
	return below ? [fitLine(below, columns)] : [];
}

/** State of the feed, budget, exchange and time, with the keys below or, in one row, beside them. */
export function statusLines(input: StatusInput): readonly Line[] {
	if (input.replay) return replayLines(input, input.replay);
	const {state, exchangeName, demo, now, columns, rows, ascii, zone = utc, notice, alert} = input;
	const part = (text: string, tone: Tone): Line => [
		{text: ascii ? ' - ' : ' · ', tone: 'muted'},
		{text, tone},
	];
	const time: Line = [{text: `${zoneLabels(zone, now)[0]} ${formatClock(now, zone)} `, tone: 'muted'}];
	const hasRoom = (line: Line): boolean => lineWidth([...line, ...time]) < columns;
	const withTime = (line: Line): Line => {
		if (lineWidth(line) > columns) return [...fitLine(line, columns - 1), {text: ascii ? '~' : '…', tone: 'muted'}];
		if (!hasRoom(line)) return fitLine(line, columns);
		return [...line, {text: ' '.repeat(columns - lineWidth(line) - lineWidth(time))}, ...time];
	};

	const {text, tone, why, brief = text} = health(input);
	const feed = (words: string): Line => [{text: ` ${words}`, tone}];
	const notices = noticesOf(input).flatMap(notice => part(notice, 'warn'));
	// In a small layout no other line may have room for the reason.
	const feeds = [...(why === undefined ? [] : [`${text}: ${why}`]), text, brief].map(feed);
	const links = [...linkNotices(input).map(notice => part(notice, 'warn')), []];
	const blind = alert && alert.blind.length > 0 ? alert.blind.map(text => part(text, 'warn')) : [[]];
	const candidates = links.flatMap(link =>
		feeds.flatMap(words => blind.map(rules => [...words, ...notices, ...rules, ...link])),
	);
	let line = candidates.find(hasRoom) ?? [...feed(brief), ...notices, ...(blind.at(-1) ?? [])];
	const details = rows === 2 ? [budgetText(state.budget, now), exchangeName] : [];
	const more = [...noticesWithRoom(input).map(text => part(text, 'warn')), ...details.map(text => part(text, 'muted'))];
	for (const words of more) if (hasRoom([...line, ...words])) line = [...line, ...words];

	const waiting = waitingTexts(input);
	if (rows === 2) return [withTime(line), ...lowerRow(input, waiting)];
	if (waiting.length > 0) {
		const unmarked = notices.slice(1);
		const before: readonly Line[] = [
			...feeds.slice(-2).map(words => [...words, ...notices, ...part('', 'muted')]),
			// That all is well can be left out.
			...(tone === 'good'
				? [unmarked.length > 0 ? [{text: ' '}, ...unmarked, ...part('', 'muted')] : [{text: ' '}]]
				: []),
		];
		const fitting = waiting.flatMap(text => before.map(words => [...words, waitingSpan([text], columns)]));
		const noted = fitting.find(candidate => lineWidth(candidate) <= columns) ?? fitting.at(-1) ?? line;
		return [hasRoom(noted) ? withTime(noted) : fitLine(noted, columns)];
	}

	if (notice !== undefined) {
		const mark = demo ? part(demoMark, 'warn') : [];
		const noted = [
			...blind.map(rules => [...feed(brief), ...notices, ...rules, ...part(notice, 'warn')]),
			[...feed(brief), ...notices, ...part(notice, 'warn')],
			...noticeTexts(notice).map(text => [...feed(brief), ...mark, ...part(text, 'warn')]),
		].find(candidate => lineWidth(candidate) <= columns);
		if (noted) return [withTime(noted)];
	}

	const room = columns - lineWidth(line) - lineWidth(time) - 2;
	const keys = keyLine(input, room - 1);
	return [withTime(keys.length > 0 ? [...line, {text: ' '}, ...keys] : line)];
}

/** Why the last key changed nothing, from long to short; empty: it did. */
const noticeTexts = (notice: string | undefined): readonly string[] =>
	notice === undefined ? [] : [...faultTexts(notice), noEffect];

/** What waits with the notice, from long to short: what waits is shortened first. Then, without room for both, without it. */
function waitingTexts({alert, notice, ascii}: StatusInput): readonly string[] {
	const texts = alert?.waiting ?? [];
	return [...noticeTexts(notice).flatMap(end => texts.map(text => dotted([text, end], ascii))), ...texts];
}

/** The longest of the texts that fits, else the last, as a sign that is seen without colour. */
const waitingSpan = (texts: readonly string[], columns: number): Span => ({
	text: firstFitting(texts, columns) || (texts.at(-1) ?? ''),
	tone: 'warn',
	inverse: true,
});

/** Notices that are always shown after the state of the feed. */
function noticesOf({state, demo, more}: StatusInput): readonly string[] {
	return [demo ? demoMark : '', state.choice === 'auto' ? '' : `${state.choice} only`, more ?? ''].filter(Boolean);
}

/** That the terminal is slow, from long to short. */
const linkNotices = ({droppedFrames = 0}: StatusInput): readonly string[] =>
	droppedFrames > 0 ? [`slow link: ${formatCount(droppedFrames, 'frame')} dropped`, 'slow link'] : [];

/** Notices that are left out if there is no room. */
function noticesWithRoom(input: StatusInput): readonly string[] {
	const {state, now, rows, commands = [], ascii} = input;
	const skewMs = clockSkew(liveResources(input));
	const aheadMs = stampsAhead(state.trades);
	const both = aheadMs === undefined || skewMs === undefined ? undefined : stampsAndClockWords(aheadMs, skewMs);
	const clocks = both
		? [both]
		: [...(aheadMs === undefined ? [] : [stampsWords(aheadMs)]), ...(skewMs === undefined ? [] : [clockWords(skewMs)])];
	const wait = rows === 1 ? waitText(state.budget, now) : '';
	const isEmpty = state.markets.status === 'ready' && !hasMarkets(state.markets);
	return [
		...clocks.map(({brief, text}) => (rows === 1 ? brief : text)),
		state.paused ? keyHintOf(commands, ascii)('resumes', 'pause') : '',
		isEmpty ? 'no markets yet' : '',
		wait,
		...insteadNotice(input),
	].filter(Boolean);
}

/** What the other interface answers in place of the preferred one, and how that failed: `ticker from legacy: v2 timeout`. */
function insteadNotice(input: FeedInput): readonly string[] {
	const answers = liveResources(input).flatMap(resource => {
		if (resource.status !== 'ready' || resource.failure || !resource.preferredFailure) return [];
		return {answered: resource.interface, failure: resource.preferredFailure};
	});
	const [first] = answers;
	if (!first) return [];
	const operations = answers.map(({failure}) => failure.operation).join(', ');
	const {answered, failure} = first;
	return [`${operations} from ${answered}: ${failure.interface} ${failure.brief}`];
}
