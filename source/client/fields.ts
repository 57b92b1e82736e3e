import * as z from 'zod';
import {stripControl} from '../format/control.ts';
import {symbolKey} from '../market/symbol.ts';

/** Longer names than any exchange has; keeps a hostile one from filling the screen. */
export const nameLength = 64;

/** Of a trade or a candle. */
export const price = z.number().positive();
export const quantity = z.number().nonnegative();
/** Of a ticker: null, missing and, for a price, 0 mean "none". */
export const tickerPrice = z.number().nonnegative().nullish();
export const tickerQuantity = z.number().nonnegative().nullish();
/** Of a ticker, either sign. */
export const change = z.number().nullish();
/** Ids beyond 2^53 arrive as text, see json.ts. */
export const id = z.union([z.int().nonnegative(), z.string().regex(/^\d{1,64}$/)]);
export const name = z.string().max(nameLength);
export const time = z.union([z.number(), z.string()]);

export const toPrice = (value: number | null | undefined): number | undefined => value || undefined;

export const toNumber = (value: number | null | undefined): number | undefined => value ?? undefined;

const plainSymbol = /^[A-Z0-9]+$/;

/** `BTCUSDT` for any spelling of the pair; absent when nothing is left of it. */
export const toSymbol = (text: string): string | undefined =>
	plainSymbol.test(text) ? text : symbolKey(stripControl(text)) || undefined;
