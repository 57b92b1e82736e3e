import * as z from 'zod';
import {stripControl} from '../../format/control.ts';
import {formatPlain} from '../../format/number.ts';
import {symbolKey} from '../../market/symbol.ts';
import {maxTime, minuteMs} from '../../market/units.ts';
import {longNumber} from '../body.ts';

/** Longer than any real name; keeps a hostile exchange from filling the screen. */
export const nameLength = 64;

/** A price of a trade or a candle. */
export const price = z.number().positive();
export const quantity = z.number().nonnegative();
/** A price of a ticker: null, missing and 0 mean "none". */
export const tickerPrice = z.number().nonnegative().nullish();
export const tickerQuantity = z.number().nonnegative().nullish();
/** A change in a ticker, of either sign. */
export const change = z.number().nullish();
/** For toId. */
export const id = z.unknown();
export const name = z.string().max(nameLength);
export const isName = (value: unknown): value is string =>
	typeof value === 'string' && value !== '' && value.length <= nameLength;
/** For parseWireTime. */
export const time = z.unknown();

/** The digits of a whole number or of text; undefined for anything else. */
export function toId(value: unknown): string | undefined {
	const text = typeof value === 'number' ? formatPlain(value) : (longNumber(value) ?? value);
	return typeof text === 'string' && /^\d{1,64}$/.test(text) ? text : undefined;
}

export const toPrice = (value: number | null | undefined): number | undefined => value || undefined;

export const toNumber = (value: number | null | undefined): number | undefined => value ?? undefined;

const plainSymbol = /^[A-Z0-9]+$/;

/** `BTCUSDT` for any spelling of the pair; undefined if nothing is left of it. */
export const toSymbol = (text: string): string | undefined =>
	plainSymbol.test(text) ? text : symbolKey(stripControl(text)) || undefined;

/**
 * The exchange's own name for a market, where the symbol has lost something of it: `A-B.CUSDT`, `kBONKUSDT`. Undefined where it is the
 * symbol, or base and quote with an underscore between them, which denote the same market.
 */
export function toName(text: string): string | undefined {
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
