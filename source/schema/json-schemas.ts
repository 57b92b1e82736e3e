import * as z from 'zod';
import {doctor} from './doctor-schema.ts';
import * as documents from './document-schemas.ts';
import {recordEvent, watchEvent} from './event-schemas.ts';

/** What each schema is of, by the name of its file. */
const schemas: Readonly<Record<string, readonly [title: string, schema: z.ZodType]>> = {
	info: ['tapewatch info --json', documents.info],
	markets: ['tapewatch markets --json', documents.markets],
	ticker: ['tapewatch ticker --json', documents.ticker],
	holdings: ['tapewatch holdings --json', documents.holdings],
	depth: ['tapewatch depth --json', documents.depth],
	trades: ['tapewatch trades --json', documents.trades],
	candles: ['tapewatch candles --json', documents.candles],
	'markets-line': ['A line of tapewatch markets --output ndjson', documents.marketsLine],
	'ticker-line': ['A line of tapewatch ticker --output ndjson', documents.tickerLine],
	'holdings-line': ['A line of tapewatch holdings --output ndjson', documents.holdingsLine],
	'depth-line': ['A line of tapewatch depth --output ndjson', documents.depthLine],
	'trades-line': ['A line of tapewatch trades --output ndjson', documents.tradesLine],
	'candles-line': ['A line of tapewatch candles --output ndjson', documents.candlesLine],
	'watch-event': ['A line of tapewatch watch --json, or of replay --alert --json', watchEvent],
	'record-event': ['A line of tapewatch record --json', recordEvent],
	recording: ['tapewatch recording --json', documents.recording],
	alerts: ['tapewatch alerts --json', documents.alerts],
	'alerts-test': ['tapewatch alerts test --json', documents.alertsTest],
	doctor: ['tapewatch doctor --json', doctor],
	demo: ['tapewatch demo --json', documents.demo],
};

/** JSON Schemas (draft 2020-12) by the names of their files. Other fields than theirs are allowed: later ones may be added. */
export const jsonSchemas = (): ReadonlyMap<string, object> =>
	new Map(
		Object.entries(schemas).map(([name, [title, schema]]) => {
			const {$schema, ...json} = z.toJSONSchema(schema, {override: ({jsonSchema}) => loosen(jsonSchema)});
			return [`${name}.json`, {$schema, $id: `urn:tapewatch:schema:1:${name}`, title, ...json}];
		}),
	);

function loosen(schema: z.core.JSONSchema.BaseSchema): void {
	if (schema.additionalProperties === false) delete schema.additionalProperties;
	// It stands for no bound.
	if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
	if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
}
