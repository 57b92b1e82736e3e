import {formatPlain} from '../format/number.ts';
import {formatDuration, parseDuration, parsePeriod} from '../format/time.ts';
import {monthsIn} from '../market/calendar.ts';
import {type Typed, typedNumber} from '../market/typed-number.ts';
import {minuteMs, secondMs} from '../market/units.ts';
import {longestWindowMs, type Parameter, type Quantity, type QuantityName} from './condition.ts';
import type {Scanner} from './condition-text.ts';

/** Of the 1,000 candles that an exchange sends at most, smoothed figures need several times their count. */
const mostCandles = 250;
/** Its smoothing reaches back twice as far. */
const mostOfRsi = 100;

type Arguments = Pick<Quantity, 'windowMs' | 'count' | 'period' | 'distance'>;

type Kind = {
	readonly name: string;
	readonly example: string;
	read(text: string, of: QuantityName): Typed<Arguments>;
};

const kinds: Readonly<Record<Parameter, Kind>> = {
	window: {
		name: 'a time',
		example: '5m',
		read(text) {
			const typed = parseDuration(text);
			if ('fault' in typed) return typed;
			const fits = typed.value >= secondMs && typed.value <= longestWindowMs;
			if (!fits) return {fault: 'a time here is from 1s to 7d'};
			return typed.value % secondMs === 0
				? {value: {windowMs: typed.value}}
				: {fault: 'a time here is in whole seconds'};
		},
	},
	count: {
		name: 'a number of candles',
		example: '50',
		read(text, of) {
			const typed = typedNumber(text);
			if ('fault' in typed) return typed;
			const most = of === 'rsi' ? mostOfRsi : mostCandles;
			const fits = Number.isInteger(typed.value) && typed.value >= 1 && typed.value <= most;
			return fits ? {value: {count: typed.value}} : {fault: `a number of candles is a whole number from 1 to ${most}`};
		},
	},
	period: {
		name: 'a period',
		example: '1h',
		read(text) {
			const typed = parsePeriod(text);
			if ('fault' in typed) return {fault: typed.fault.replace(', w or M', ' or w')};
			if (monthsIn(typed.value) > 0) return {fault: 'a rule takes no calendar months: use m, h, d or w'};
			return {value: {period: typed.value}};
		},
	},
	distance: {
		name: 'a distance from the mid',
		example: '0.5%',
		read(text) {
			const [, digits] = /^(.*?)\s*%$/.exec(text) ?? [];
			if (digits === undefined) return {fault: `a distance from the mid is in percent: ${text || '0.5'}%`};
			const typed = typedNumber(digits);
			if ('fault' in typed) return typed;
			const fits = typed.value > 0 && typed.value <= 100;
			return fits ? {value: {distance: typed.value}} : {fault: 'a distance is above 0% and up to 100%'};
		},
	},
};

const text = /[^,()]+/y;
const comma = /,/y;

/** Reads `(50, 1h)` behind the name of a quantity that takes `parameters`. */
export function parseArguments(scanner: Scanner, name: QuantityName, parameters: readonly Parameter[]): Arguments {
	if (parameters.length === 0) return scanner.fail(`${name} takes nothing in parentheses`);
	const taken = parameters.map(each => kinds[each]);
	const usage = `${name} takes ${taken.map(each => each.name).join(' and ')}: ${exampleOf(name, parameters)}`;
	if (!scanner.accept(/\(/y)) return scanner.fail(usage);
	const read = taken.map((kind, index): Arguments => {
		if (index > 0 && !scanner.accept(comma)) scanner.fail(usage);
		const argument = scanner.accept(text) ?? scanner.fail(usage);
		const typed = kind.read(argument.text.trim(), name);
		const [first = ''] = /^\S+\s+(?=\S)/.exec(argument.text) ?? [];
		const lacksComma = 'fault' in typed && index < taken.length - 1 && 'value' in kind.read(first.trim(), name);
		if (lacksComma) scanner.fail(`a comma is missing: ${exampleOf(name, parameters)}`, argument.at + first.length);
		return 'fault' in typed ? scanner.fail(typed.fault, argument.at) : typed.value;
	});
	if (!scanner.accept(/\)/y)) scanner.fail(usage);
	return Object.assign({}, ...read);
}

const exampleOf = (name: QuantityName, parameters: readonly Parameter[]): string =>
	`${name}(${parameters.map(each => kinds[each].example).join(', ')})`;

/** What stands in parentheses behind the quantity; empty: nothing. */
export function argumentsText({windowMs, count, period, distance}: Quantity): readonly string[] {
	return [
		...(windowMs === undefined ? [] : [formatDuration(windowMs)]),
		...(count === undefined ? [] : [String(count)]),
		...(period === undefined ? [] : [formatDuration(period * minuteMs)]),
		...(distance === undefined ? [] : [`${formatPlain(distance)}%`]),
	];
}
