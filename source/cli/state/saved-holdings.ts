import {stripControl} from '../../format/control.ts';
import type {Holding} from '../../market/holdings.ts';
import type {Held, Holdings} from '../../view/valuation.ts';
import type {Options} from '../options/options.ts';
import {faultText, isRecord, type JsonRecord, notTable, quoted} from './saved-state.ts';

type ReadHoldings = {
	readonly holdings: Holdings;
	/** What is left out, in one line; absent: nothing. It stays in the file. */
	readonly fault?: string | undefined;
};

/** The holdings of a state, by asset, and those of the config file, which come first. */
export function readHoldings(saved: unknown = {}, configured: Options['holdings'] = []): ReadHoldings {
	const ofConfig = configured.map(holding => [holding.asset, {...holding, origin: 'config'}] as const);
	if (!isRecord(saved)) return {holdings: new Map(ofConfig), fault: notTable('holdings')};
	const read = Object.entries(saved).map(([asset, value]) => [asset, readHolding(asset, value)] as const);
	const users = read.flatMap(
		([asset, holding]): ReadonlyArray<readonly [string, Held]> =>
			holding ? [[asset, {...holding, origin: 'user'}]] : [],
	);
	const faulty = read.filter(([, holding]) => !holding).map(([asset]) => quoted(asset));
	const holdings: Holdings = new Map([...users, ...ofConfig]);
	return {holdings, fault: faultText('a holding', faulty.length > 0 ? [faulty.join(', ')] : [])};
}

/** Undefined: it cannot be read. */
function readHolding(asset: string, value: unknown): Holding | undefined {
	if (!isRecord(value) || asset !== stripControl(asset).toUpperCase() || !isAmount(value.amount)) return undefined;
	const {amount, price, quote} = value;
	if (price === undefined) return {asset, amount};
	return isAmount(price) && typeof quote === 'string' ? {asset, amount, cost: {price, quote}} : undefined;
}

const isAmount = (value: unknown): value is number => typeof value === 'number' && value > 0 && value < Infinity;

/** The user's own holdings as the state file keeps them. */
export const savedHoldings = (holdings: Holdings): JsonRecord =>
	Object.fromEntries(
		[...holdings]
			.filter(([, {origin}]) => origin === 'user')
			.map(([asset, {amount, cost}]) => [asset, {amount, ...cost}]),
	);
