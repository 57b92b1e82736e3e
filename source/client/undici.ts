// Its own module so that it can be loaded with the first request: bundled, a dynamic import of undici itself
// (CommonJS) has no named exports.
export {buildConnector, EnvHttpProxyAgent} from 'undici';
