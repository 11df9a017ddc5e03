import packageJson from '../../package.json' with { type: 'json' }

/** As long as the suite gives a file: run by itself, a file has thirty seconds of tap's, too few on a busy machine. */
export const fileTimeoutMs = packageJson.tap.timeout * 1000
