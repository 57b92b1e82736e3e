import fc from 'fast-check';
import {
	arithmeticOperators,
	type Condition,
	type Expression,
	formOf,
	operators,
	type Percent,
	type Quantity,
	type QuantityName,
	quantitiesIn,
	quantityNames,
} from '../../source/alerts/condition.ts';

type Choice = {
	/** Default: all. */
	readonly names?: readonly QuantityName[];
	/** That a quantity may name. Default: none. */
	readonly markets?: readonly string[];
	readonly windowMs?: fc.Arbitrary<number>;
	readonly number?: fc.Arbitrary<number>;
};

const anyNumber = fc.double({noNaN: true, noDefaultInfinity: true}).map(value => value + 0);
const anyDistance = fc.oneof(fc.constantFrom(0.5, 1, 100), fc.double({min: 1e-9, max: 100, noNaN: true}));
const anyWindow = fc.integer({min: 1, max: 604_800}).map(seconds => seconds * 1000);

function anyQuantity({names = quantityNames, markets = [], windowMs = anyWindow}: Choice): fc.Arbitrary<Quantity> {
	return fc
		.record({
			name: fc.constantFrom(...names),
			market: fc.constantFrom(undefined, ...markets),
			isBare: fc.boolean(),
			values: fc.record({
				windowMs,
				count: fc.integer({min: 1, max: 100}),
				period: fc.integer({min: 1, max: 1440}),
				distance: anyDistance,
				line: fc.integer({min: 1, max: 999}),
			}),
		})
		.map(({name, market, isBare, values: {windowMs: window, ...values}}) => {
			const {takes = [], bare} = formOf(name);
			const taken = bare && isBare ? [] : takes;
			return {
				...{type: 'quantity', name},
				...(market !== undefined && {market}),
				...(taken.includes('window') && {windowMs: window}),
				...(taken.includes('count') && {count: values.count}),
				...(taken.includes('period') && {period: values.period}),
				...(taken.includes('distance') && {distance: values.distance}),
				...(name === 'line' && {line: values.line}),
			};
		});
}

/** Any condition that a text can state. */
export function anyCondition(choice: Choice = {}): fc.Arbitrary<Condition> {
	const quantity = anyQuantity(choice);
	const number = (choice.number ?? anyNumber).map(value => ({type: 'number', value}) as const);
	const percent = fc.record({
		type: fc.constant('percent' as const),
		value: fc.double({min: 1e-9, max: 1e6, noNaN: true}),
	});
	const isZero = (part: Expression | Percent) => 'value' in part && part.value === 0;
	const {condition} = fc.letrec<{expression: Expression; condition: Condition}>(tie => ({
		expression: fc.oneof(
			{maxDepth: 3, depthIdentifier: 'expression'},
			quantity,
			number,
			fc
				.record({
					type: fc.constant('arithmetic' as const),
					operator: fc.constantFrom(...arithmeticOperators),
					left: tie('expression'),
					right: fc.oneof(tie('expression'), percent),
				})
				.filter(({operator, right}) => operator !== '/' || !isZero(right)),
		),
		condition: fc.oneof(
			{maxDepth: 4, depthIdentifier: 'condition'},
			fc
				.record({
					type: fc.constant('comparison' as const),
					operator: fc.constantFrom(...operators),
					left: quantity,
					right: tie('expression'),
				})
				.map(inOneMarket),
			fc
				.record({
					type: fc.constant('crossing' as const),
					direction: fc.constantFrom('any' as const, 'above' as const, 'below' as const),
					left: tie('expression'),
					right: quantity,
				})
				.map(inOneMarket),
			fc.record({type: fc.constant('and' as const), left: tie('condition'), right: tie('condition')}),
			fc.record({type: fc.constant('or' as const), left: tie('condition'), right: tie('condition')}),
		),
	}));
	return condition;
}

/** A comparison that begins with the name of a market names one everywhere. */
function inOneMarket<Part extends Condition>(part: Part): Part {
	const [first] = quantitiesIn(part);
	return first?.market === undefined ? part : named(part, first.market);
}

function named<Part extends Condition | Expression | Percent>(part: Part, market: string): Part {
	if (part.type === 'number' || part.type === 'percent') return part;
	if (part.type === 'quantity') return {...part, market: part.market ?? market};
	return {...part, left: named(part.left, market), right: named(part.right, market)};
}
