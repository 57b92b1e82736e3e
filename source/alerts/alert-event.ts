import type {Needed} from './market-data.ts';
import type {Stretch} from './missed.ts';
import type {Rule} from './rule.ts';
import type {Firing} from './rule-memory.ts';

type OfRule = {
	readonly rule: Rule;
	/** The market that the rule is judged for. */
	readonly symbol: string;
	/** Epoch ms. */
	readonly time: number;
};

/** A rule holds. */
export type Alert = OfRule &
	Firing & {
		readonly type: 'alert';
		/** Keys of the markets whose values make it hold. Absent: it is not known any more. */
		readonly markets?: readonly string[] | undefined;
		/** Absent: it is not known any more. */
		readonly judgedOn?: readonly JudgedOn[] | undefined;
		/** Nothing has happened: the user tries the call. */
		readonly isTest?: true;
	};

/** What is remembered of an alert. */
export const firingOf = ({type, rule, symbol, markets, judgedOn, isTest, ...firing}: Alert): Firing => firing;

/** Why a rule cannot be judged. */
export type Blind = {
	/** Epoch ms. */
	readonly since: number;
	readonly why: string;
};

/** A rule cannot be judged, or can be again. */
export type Blindness = OfRule &
	Blind & {
		readonly type: 'blind';
		/** It can be judged again, or has ended. */
		readonly ended: boolean;
		/** How what happened meanwhile was looked up; `nothing`: it is not known. Absent: the rule is still blind. */
		readonly lookedUp?: 'trades' | 'candles' | 'nothing' | undefined;
		/** When it may have held meanwhile, by the candles; absent: that is known, or nothing is. */
		readonly possible?: Stretch | undefined;
	};

export type AlertEvent = Alert | Blindness;

/** An answer that a rule is judged on. */
export type JudgedOn = Needed & {
	/** Epoch ms. Absent: there was none. */
	readonly receivedAt?: number | undefined;
	/** Of trades: the time of the newest, epoch ms by the exchange's clock. Absent: there is none. */
	readonly lastTradeAt?: number | undefined;
	/** Of trades: how long nothing was traded, ms; absent: less than a minute, or unknown. */
	readonly quietMs?: number | undefined;
};
