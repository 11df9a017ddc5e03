export interface Device {
  /** Null: it says nothing that is known. */
  readonly browser: string | null
  readonly system: string | null
}

/** Browsers name those they descend from, so the younger stand before the older. */
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

/** Beyond any browser's; what claims to be one may send as much as it likes. */
const longestRead = 512

/** What a browser says of itself in `user-agent`, in words a person knows it by. */
export const deviceOf = (userAgent: string | null): Device => {
  const text = (userAgent ?? '').slice(0, longestRead)
  return { browser: nameIn(browsers, text), system: nameIn(systems, text) }
}
