/** Failures without a code of Meta. */
export const namedFaults = ['500', 'html', 'reset', 'hang', 'cut', 'noStatus', 'sentThenFailed'] as const
export type NamedFault = (typeof namedFaults)[number]

const sixDigitFaults = [
  '130403',
  '130429',
  '130472',
  '130497',
  '131000',
  '131005',
  '131008',
  '131009',
  '131016',
  '131021',
  '131026',
  '131030',
  '131031',
  '131042',
  '131045',
  '131047',
  '131048',
  '131049',
  '131050',
  '131051',
  '131053',
  '131056',
  '131057',
  '133010',
]
const shortFaults = ['0', '1', '2', '4', '10', '100', '190', '200', '368', '613', '80007']

/**
 * A send to an Argentine mobile (`549` and ten digits) that ends with `suffix` fails with `code`: six-digit codes as
 * they are, shorter ones as a 9 and five digits, so that consecutive ordinary numbers are not affected. Example:
 * `5491155131026`.
 */
export const testNumberFaults: readonly { readonly suffix: string; readonly code: string }[] = [
  ...sixDigitFaults.map(code => ({ suffix: code, code })),
  ...shortFaults.map(code => ({ suffix: `9${code.padStart(5, '0')}`, code })),
  { suffix: '900500', code: '500' },
  { suffix: '900502', code: 'html' },
  { suffix: '900601', code: 'reset' },
  { suffix: '900602', code: 'hang' },
  { suffix: '900603', code: 'cut' },
  { suffix: '900604', code: 'noStatus' },
  { suffix: '900605', code: 'sentThenFailed' },
]
