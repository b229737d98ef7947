/** The script that provides the session object in browsers. */
export const deviceScriptPath = '/wallet/device.js';
