/** The demo exchange in a process of its own, which counts what it is asked. Started by `openCountedExchange`. */
import {subscribe} from 'node:diagnostics_channel';
import {startDemo} from '../../../source/demo/server.ts';

let requests = 0;
subscribe('http.server.request.start', () => {
	requests++;
});
const {url} = await startDemo();
process.on('message', () => process.send?.({requests}));
process.send?.({url});
