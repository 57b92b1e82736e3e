import {stripControl} from '../../format/control.ts';
import {formatPlain} from '../../format/number.ts';
import {symbolKey} from '../../market/symbol.ts';
import {maxTime, minuteMs} from '../../market/units.ts';
import {longNumber} from '../body.ts';

/** Longer than any real name; keeps a hostile exchange from filling the screen. */
export const nameLength = 64;

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

export const isName = (value: unknown): value is string =>
	typeof value === 'string' && value !== '' && value.length <= nameLength;

/** The digits of a whole number or of text; undefined for anything else. */
function toId(value: unknown): string | undefined {
	if (typeof value === 'number' && value > 0 && Number.isSafeInteger(value)) return String(value);
	const text = typeof value === 'number' ? formatPlain(value) : (longNumber(value) ?? value);
	return typeof text === 'string' && /^\d{1,64}$/.test(text) ? text : undefined;
}

const plainSymbol = /^[A-Z0-9]+$/;

/** `BTCUSDT` for any spelling of the pair; undefined if nothing is left of it. */
export const toSymbol = (text: string): string | undefined =>
	plainSymbol.test(text) ? text : symbolKey(stripControl(text)) || undefined;

/**
 * The exchange's own name for a market, where the symbol has lost something of it: `A-B.CUSDT`, `kBONKUSDT`. Undefined where it is the
 * symbol, or base and quote with an underscore between them, which denote the same market.
 */
function toName(text: string): string | undefined {
	if (plainSymbol.test(text)) return undefined;
	const name = stripControl(text).trim();
	return /^[A-Z0-9]+_[A-Z0-9]+$/.test(name) || name === toSymbol(name) ? undefined : name;
}

const iso = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?\s*(?:Z|([+-])(\d\d)(?::?(\d\d))?)?$/i;

/**
 * Parses a time of either interface into epoch ms: epoch ms as a number of any length or as digits, or ISO 8601 with any offset (default
 * UTC) and any number of fraction digits, cut to ms. Undefined for anything else and for days that do not exist.
 */
export function parseWireTime(value: unknown): number | undefined {
	if (typeof value === 'number') return value > 0 && value <= maxTime ? Math.floor(value) : undefined;
	const long = longNumber(value);
	if (long !== undefined) return parseWireTime(Number(long));
	if (typeof value !== 'string') return undefined;
	const text = value.trim();
	if (/^\d{12,16}$/.test(text)) return parseWireTime(Number(text));
	const parts = iso.exec(text);
	if (!parts) return undefined;
	const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
		.slice(1, 7)
		.map(part => Number(part ?? 0));
	const offsetHours = Number(parts[9] ?? 0);
	const offsetMinutes = Number(parts[10] ?? 0);
	// 60: a leap second counts as the first second of the next minute.
	if (hour > 23 || minute > 59 || second > 60 || offsetHours > 23 || offsetMinutes > 59) return undefined;
	const midnight = new Date(0);
	midnight.setUTCFullYear(year, month - 1, day);
	if (midnight.getUTCMonth() !== month - 1 || midnight.getUTCDate() !== day) return undefined;
	const ms = Number((parts[7] ?? '').slice(0, 3).padEnd(3, '0'));
	const offset = (parts[8] === '-' ? -1 : 1) * (offsetHours * 60 + offsetMinutes) * minuteMs;
	return midnight.getTime() + (hour * 60 + minute) * minuteMs + second * 1000 + ms - offset;
}

/**
 * Reads the fields of one entry after the other, without a copy of it. After a field that is missing or wrong, `isWrong` is true
 * and the values of this entry are of no use.
 */
export class Fields {
	isWrong = false;
	/** A number of the entry has more digits than a double holds, and was rounded. */
	isRounded = false;

	next(): void {
		this.isWrong = false;
		this.isRounded = false;
	}

	/** For what no single field shows. */
	require(isRight: boolean): void {
		if (!isRight) this.isWrong = true;
	}

	record(value: unknown): Readonly<Record<string, unknown>> {
		if (isRecord(value)) return value;
		this.isWrong = true;
		return {};
	}

	/** A price of a trade or a candle, or of a level. */
	price(value: unknown): number {
		const number = this.number(value);
		this.require(number > 0);
		return number;
	}

	quantity(value: unknown): number {
		const number = this.number(value);
		this.require(number >= 0);
		return number;
	}

	/** A price of a ticker: null, missing and 0 mean "none". */
	tickerPrice(value: unknown): number | undefined {
		return value == null ? undefined : this.quantity(value) || undefined;
	}

	tickerQuantity(value: unknown): number | undefined {
		return value == null ? undefined : this.quantity(value);
	}

	/** A change in a ticker, of either sign. */
	change(value: unknown): number | undefined {
		return value == null ? undefined : this.number(value);
	}

	number(value: unknown): number {
		if (typeof value === 'number' && Number.isFinite(value)) return value;
		const nearest = Number(longNumber(value) ?? Number.NaN);
		this.isRounded = true;
		this.require(Number.isFinite(nearest));
		return nearest;
	}

	/** May be empty. */
	text(value: unknown): string {
		if (typeof value === 'string' && value.length <= nameLength) return stripControl(value);
		this.isWrong = true;
		return '';
	}

	name(value: unknown): string {
		return this.required(this.text(value) || undefined) ?? '';
	}

	/** See `toSymbol`. */
	symbol(value: unknown): string {
		return this.required(isName(value) ? toSymbol(value) : undefined) ?? '';
	}

	/** See `toName`. */
	ownName(value: unknown): string | undefined {
		return isName(value) ? toName(value) : undefined;
	}

	/** See `toId`. */
	id(value: unknown): string {
		return this.required(toId(value)) ?? '';
	}

	/** See `parseWireTime`. */
	time(value: unknown): number {
		return this.required(parseWireTime(value)) ?? Number.NaN;
	}

	private required<T>(value: T | undefined): T | undefined {
		this.require(value !== undefined);
		return value;
	}
}
