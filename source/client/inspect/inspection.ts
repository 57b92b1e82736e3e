import type {doctor} from '../../schema/doctor-schema.ts';
import type {Of} from '../../schema/parts.ts';

/**
 * Why a check could not be made. `failed`: an operation that it needs. `unreadable`: entries of such a list were dropped.
 * `crossed`: bids and asks are. `cached`: a cache gives older answers, though it is asked for new ones.
 * `no-time`: answers have no plausible time. `bad-times`: the trades have none. `clocks-differ`: the two operations have
 * different clocks. `no-price`: the ticker has no last price. `no-trades`: none in the time in question. `no-such-trade`:
 * none has the ticker's price. `trades-differ`: between the interfaces, so that the trades may lag and not the ticker.
 * `changing`: every value changed meanwhile. `too-few`: entries.
 */
export type Obstacle = (typeof obstacles)[number];

const obstacles = [
	...(['failed', 'unreadable', 'crossed', 'cached', 'no-time', 'bad-times', 'clocks-differ', 'no-price'] as const),
	...(['no-trades', 'no-such-trade', 'trades-differ', 'changing', 'too-few'] as const),
] as const;

export const isObstacle = (result: unknown): result is Obstacle => obstacles.some(obstacle => obstacle === result);

/** Fields that hold an obstacle where something could not be measured. */
export const measuredFields = ['delay', 'rangeUnit', 'summary', 'tickers', 'book', 'trades'] as const;

type MeasuredField = (typeof measuredFields)[number];

/** A value of the document: absent where that has null, and an obstacle where null stands for one. */
type Known<T> =
	T extends ReadonlyArray<infer Entry>
		? ReadonlyArray<Known<Entry>>
		: T extends object
			? {readonly [Name in keyof T as IsOptional<T, Name> extends true ? never : Name]: KnownField<T, Name>} & {
					readonly [Name in keyof T as IsOptional<T, Name> extends true ? Name : never]?:
						| KnownField<T, Name>
						| undefined;
				}
			: T;

type IsOptional<T, Name extends keyof T> = Name extends MeasuredField
	? false
	: null extends T[Name]
		? true
		: undefined extends T[Name]
			? true
			: false;

type KnownField<T, Name extends keyof T> =
	| Known<NonNullable<T[Name]>>
	| (Name extends MeasuredField ? Obstacle : never);

type Report = Known<Of<typeof doctor>>;

/**
 * What the probes of an exchange found: the fields of `doctor --json`, as source/schema/doctor-schema.ts describes them, absent
 * where they are null there. What could not be measured is an obstacle.
 */
export type Inspection = Omit<Report, 'verdict' | 'checkedAt' | 'findings' | 'operations' | 'rangeUnit' | 'summary'> & {
	readonly operations: readonly OperationReport[];
	/** Only where v2 is configured. */
	readonly rangeUnit?: Report['rangeUnit'] | undefined;
	readonly summary?: Report['summary'] | undefined;
};

export type OperationReport = Omit<Report['operations'][number], 'error'> & {
	/** The last failure. */
	readonly error?: {readonly brief: string; readonly message: string; readonly advice: string} | undefined;
};

export type Verdict = Report['verdict'];
export type Finding = Report['findings'][number];
export type Deviation = OperationReport['deviations'][number];
export type Flaw = OperationReport['flaws'][number];
export type LimitReport = Inspection['limits'][number];
export type LimitBounds = Omit<LimitReport, 'interface' | 'operation'>;
export type Compliance = NonNullable<LimitBounds['documented']>['most'];
export type InterfaceClock = Inspection['clocks'][number];
export type TickerDelay = Exclude<Inspection['tickerDelays'][number]['delay'], Obstacle>;
export type RangeUnit = Exclude<NonNullable<Inspection['rangeUnit']>, Obstacle>;
export type ShortList = Inspection['shortLists'][number];
export type SummaryAgreement = Exclude<NonNullable<Inspection['summary']>, Obstacle>;
export type Agreement = SummaryAgreement['last'];
export type StateAgreement = Inspection['states'][number];
export type Agreements = NonNullable<Inspection['agreement']>;
export type TickerAgreement = Exclude<Agreements['tickers'], Obstacle>;
export type BookAgreement = Exclude<Agreements['book'], Obstacle>;
export type TradeAgreement = Exclude<Agreements['trades'], Obstacle>;
