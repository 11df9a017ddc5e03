import t from 'tap'
import { surveyArchive } from '#server/features/imports/archive/survey.ts'
import type { RecordSource } from '#server/features/imports/reading/record-source.ts'

const contacts = (count: number): RecordSource => ({
  manifest: { madeAt: '', organization: { id: 'o', name: 'Panadería' } },
  hasFileSums: true,
  hasExactTimes: true,
  async *lines(kind) {
    if (kind !== 'contacts') return
    for (let number = 1; number <= count; number += 1)
      yield {
        ...{ file: 'records/contacts-001.jsonl', number },
        text: JSON.stringify({ id: `c${number}`, name: 'Ana', waId: `54911555${number}`, tags: [], fields: [] }),
      }
  },
  sizeOf: () => undefined,
  openFile: () => undefined,
  close: () => undefined,
})

t.test('an archive with more contacts than memory may hold is refused with a sentence', async t => {
  const goesOn = async () => true
  t.equal((await surveyArchive(contacts(3), goesOn, 3))?.found.contacts, 3)
  await t.rejects(surveyArchive(contacts(4), goesOn, 3), /The import stopped: zipSize/)
})
