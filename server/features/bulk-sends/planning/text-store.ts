import { belongsTo } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import type { LoopTurn } from '#server/platform/work/loop-turn.ts'
import type { PlanInput } from '#shared/bulk-sends/plan.ts'

/** The length of one row. Writing it blocks the only writer for one or two milliseconds. */
const pieceChars = 128 * 1024

/** Never splits a surrogate pair. */
const endOfPiece = (text: string, from: number): number => {
  const end = Math.min(text.length, from + pieceChars)
  const isWithin = end < text.length && (text.codePointAt(end - 1) ?? 0) > 0xffff
  return isWithin ? end - 1 : end
}

export function* piecesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const end = endOfPiece(text, from)
    yield text.slice(from, end)
    from = end
  }
}

/** Long pasted numbers and file text. */
interface LongTexts {
  readonly numbers?: string
  readonly csv?: string
}

/** Separates long texts from a request. */
export function withoutLongTexts(request: PlanInput): { request: PlanInput; texts: LongTexts } {
  const { numbers, csv } = request.audience
  const isLong = (text: string | undefined): text is string => text !== undefined && text.length > pieceChars
  const texts = { ...(isLong(numbers) ? { numbers } : {}), ...(csv && isLong(csv.text) ? { csv: csv.text } : {}) }
  return {
    texts,
    request: {
      ...request,
      audience: {
        ...request.audience,
        ...(texts.numbers === undefined ? {} : { numbers: '' }),
        ...(csv && texts.csv !== undefined ? { csv: { ...csv, text: '' } } : {}),
      },
    },
  }
}

/** Writes pieces in one transaction and yields between them. */
export async function insertTexts(
  db: OrgDb,
  orgId: string,
  sendId: string,
  { texts, turn }: { texts: LongTexts; turn: LoopTurn },
): Promise<void> {
  for (const [part, whole] of Object.entries(texts)) {
    let place = 0
    for (const text of piecesOf(whole)) {
      await turn.giveWay()
      await db.insertInto('bulk_send_text').values({ send_id: sendId, org_id: orgId, part, place, text }).execute()
      place += 1
    }
  }
}

/** Restores the original request. */
export async function withLongTexts(db: Db, orgId: string, sendId: string, request: PlanInput): Promise<PlanInput> {
  const rows = await db
    .selectFrom('bulk_send_text')
    .select(['part', 'text'])
    .where('send_id', '=', sendId)
    .where(belongsTo('bulk_send_text.org_id', orgId))
    .orderBy('part')
    .orderBy('place')
    .execute()
  if (!rows.length) return request
  const whole = (part: string) => rows.flatMap(row => (row.part === part ? [row.text] : [])).join('')
  const [numbers, csv] = [whole('numbers'), whole('csv')]
  const { audience } = request
  return {
    ...request,
    audience: {
      ...audience,
      ...(numbers ? { numbers } : {}),
      ...(csv && audience.csv ? { csv: { ...audience.csv, text: csv } } : {}),
    },
  }
}

export async function deleteTexts(db: OrgDb, orgId: string, sendId: string): Promise<void> {
  await db
    .deleteFrom('bulk_send_text')
    .where('send_id', '=', sendId)
    .where(belongsTo('bulk_send_text.org_id', orgId))
    .execute()
}
