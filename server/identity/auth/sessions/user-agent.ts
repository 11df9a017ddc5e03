interface Device {
  /** Null: not recognized. */
  readonly browser: string | null
  readonly system: string | null
}

/** Browsers include the names of those they derive from, so derived ones come first. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|Opera|OPiOS)\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]

const systems: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac(?:intosh| OS X)\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

const nameIn = (names: typeof browsers, text: string) => names.find(([form]) => form.test(text))?.[1] ?? null

/** Longer than any browser's. The header is untrusted and unbounded. */
const longestRead = 512

/** Browser and system named by a `user-agent` header. */
export const deviceOf = (userAgent: string | null): Device => {
  const text = (userAgent ?? '').slice(0, longestRead)
  return { browser: nameIn(browsers, text), system: nameIn(systems, text) }
}
