import type stringWidth from 'string-width';

/**
 * `string-width`, loaded by the first text that needs it: its patterns take longer to make than any other module takes to
 * load. The build puts this wherever the package is imported.
 */
const lateStringWidth: typeof stringWidth = (text, options) =>
	require('../../node_modules/string-width/index.js').default(text, options);

export default lateStringWidth;
