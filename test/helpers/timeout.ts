import packageJson from '../../package.json' with { type: 'json' }

/** The suite's timeout of a file. A file run by itself would have tap's thirty seconds, too few on a busy machine. */
export const fileTimeoutMs = packageJson.tap.timeout * 1000
