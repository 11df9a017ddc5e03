import type { Db } from '#server/platform/db/database.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import { cutAtWord } from '#server/platform/text/cut-at-word.ts'
import { buildTemplateMessage, type TemplateValues } from '#server/whatsapp/templates/template-message.ts'
import type { TemplateComponent } from '#shared/templates/components.ts'
import type { TemplateFault } from '#shared/templates/fault.ts'
import { characterCount } from '#shared/templates/variables.ts'
import type { ParameterFormat } from '#shared/templates/words.ts'
import { templateErrors } from './errors.ts'
import { type EachFile, findEachFiles, headerFormatOf } from './files/each-file.ts'
import { contentFormatOf } from './files/files.ts'
import { namedFileFaults, namedFilesOf } from './files/named-files.ts'
import { type ReadyTemplate, requireApproved, requireSendable } from './sending.ts'
import { templateView } from './shown.ts'
import { findTemplate, listByNames, noteUse } from './store.ts'
import { findWabaId } from './sync/sync-store.ts'

export type { EachFile, ReadyTemplate, TemplateValues }

/** A snapshot of a template. What is sent does not change when the template does. */
export interface FrozenTemplate {
  readonly id: string
  readonly name: string
  readonly language: string
  readonly category: string
  readonly parameterFormat: ParameterFormat
  readonly components: TemplateComponent[]
}

export type FilledTemplate = ReadyTemplate & { readonly faults: null }

/**
 * @throws TEMPLATES_NOT_FOUND, TEMPLATES_NOT_CONNECTED, TEMPLATES_NOT_APPROVED, TEMPLATES_PAUSED, TEMPLATES_DISABLED,
 * InvalidInput for what cannot be sent from here
 */
async function freeze(db: Db, orgId: string, id: string): Promise<FrozenTemplate> {
  const wabaId = await findWabaId(db, orgId)
  if (wabaId === undefined) throw templateErrors.NOT_CONNECTED()
  const found = await findTemplate(db, orgId, id)
  if (found?.wabaId !== wabaId) throw templateErrors.NOT_FOUND()
  requireApproved(found)
  requireSendable(found)
  const { name, language, category, parameterFormat, components } = found
  return { id: found.id, name, language, category, parameterFormat, components }
}

/** @throws InvalidInput naming each file that is missing or does not fit its header */
async function requireFiles(
  db: Db,
  orgId: string,
  { components }: FrozenTemplate,
  values: Parameters<typeof namedFilesOf>[0] | undefined,
): Promise<void> {
  const named = namedFilesOf(values ?? {}, 'body.values.image', card => `body.values.cards.${card}`)
  const faults = await namedFileFaults(db, orgId, components, named)
  if (faults.length) throw new InvalidInput(faults)
}

/** The header files that cells name for each recipient. @see findEachFiles */
const findFilesOf = (db: Db, orgId: string, { components }: FrozenTemplate, cells: readonly string[]) =>
  findEachFiles(db, orgId, components, cells)

const formatOfHeader = ({ components }: FrozenTemplate) => headerFormatOf(components)

/** The message of one recipient, or which values do not fit. Pure. */
function fill(
  template: FrozenTemplate,
  values: TemplateValues,
): FilledTemplate | { readonly faults: readonly TemplateFault[] } {
  const built = buildTemplateMessage(template, values)
  if (built.faults) return { faults: built.faults }
  const { id, category } = template
  const { message, preview } = built
  return { faults: null, id, category, message, text: preview.body, shown: templateView(template, preview) }
}

/** Meta's current status, category and quality of a template. Undefined: it was deleted. */
const findStanding = async (
  db: Db,
  orgId: string,
  id: string,
): Promise<{ readonly status: string; readonly category: string; readonly quality: string } | undefined> =>
  findTemplate(db, orgId, id)

/** Shortens the longest value by at least `by` characters, at a word. Undefined: it is not long enough. */
const withLongestCut = (values: Readonly<Record<string, string>>, by: number): Record<string, string> | undefined => {
  const [name = '', longest = ''] =
    Object.entries(values).sort((a, b) => characterCount(b[1]) - characterCount(a[1]))[0] ?? []
  const most = characterCount(longest) - by
  return most > 0 ? { ...values, [name]: cutAtWord(longest, most) } : undefined
}

type CutTemplate = FilledTemplate & { readonly isCut?: boolean }

/**
 * Like `fill`, with values by position: `body.1`, `header.media`, `buttons.0`. If the body is too long, its longest
 * value is shortened. Undefined: the values do not fit.
 */
function fillAt(template: FrozenTemplate, values: Readonly<Record<string, string>>): CutTemplate | undefined {
  const below = (part: string) =>
    Object.fromEntries(
      Object.entries(values).flatMap(([at, value]) =>
        at.startsWith(`${part}.`) && value ? [[at.slice(part.length + 1), value]] : [],
      ),
    )
  // No variable has a capital letter in its name.
  const { media, fileName, ...header } = below('header')
  const { endsAt } = below('offer')
  const given = {
    body: below('body'),
    header: { values: header, ...(media ? { media: { link: media } } : {}), ...(fileName ? { fileName } : {}) },
    buttons: below('buttons'),
    ...(endsAt ? { offerEndsAt: endsAt } : {}),
  }
  const filled = fill(template, given)
  if (!filled.faults) return filled
  const [fault, ...others] = filled.faults
  if (others.length || fault?.field !== 'body' || fault.code !== 'tooLong') return undefined
  const body = withLongestCut(given.body, Number(fault.params.length) - Number(fault.params.max))
  const cut = body && fill(template, { ...given, body })
  return !cut || cut.faults ? undefined : { ...cut, isCut: true }
}

/** All languages of these names on the connected account. */
async function findNamed(
  db: Db,
  orgId: string,
  names: readonly string[],
): Promise<
  (FrozenTemplate & {
    readonly status: string
    fill(values: Readonly<Record<string, string>>): CutTemplate | undefined
  })[]
> {
  const wabaId = await findWabaId(db, orgId)
  const found = wabaId === undefined ? [] : await listByNames(db, orgId, wabaId, names)
  return found.map(one => ({ ...one, fill: values => fillAt(one, values) }))
}

/** The functions that bulk sends need from templates. */
export const templateFreezing = {
  freeze,
  requireFiles,
  findFilesOf,
  formatOfHeader,
  formatIn: contentFormatOf,
  fill,
  findNamed,
  findStanding,
  noteUse,
}
export type TemplateFreezing = typeof templateFreezing
