import type { BulkDraftSteps } from '#shared/bulk-sends/drafts.ts'

/** The steps of an unfinished bulk send. `text`: the first value of its template. */
export const aBulkDraft = ({ numbers = '', text }: { numbers?: string; text?: string } = {}): BulkDraftSteps => ({
  audience: { tagIds: [], match: 'any', numbers },
  hadFile: false,
  hadMoreNumbers: false,
  sources: text === undefined ? {} : { 'body.bodyExample.1': { from: 'fixed', text } },
  cap: { isOn: true, sends: '1', days: '1' },
  care: {
    hasCanary: false,
    people: '50',
    waitMinutes: '30',
    hasHours: false,
    from: '9',
    to: '20',
    failedPercent: '20',
    optedOutPercent: '5',
  },
})
