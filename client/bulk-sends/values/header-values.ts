import { isFilePlace, keptFileOf, keptValues } from '#client/templates/send-values.ts'
import type { PlanInput } from '#shared/bulk-sends/plan.ts'
import type { ValueSource } from '#shared/bulk-sends/values.ts'
import type { Template } from '#shared/templates/api.ts'
import { findComponent } from '#shared/templates/components.ts'

type Values = NonNullable<PlanInput['values']>
type Components = Template['components']

/** Sources of values, by field. */
export type Sources = Readonly<Record<string, ValueSource>>

const keys = ['file', 'fileName', 'latitude', 'longitude', 'placeName', 'address'] as const
export type HeaderKey = (typeof keys)[number]
/** The key of a header value, equal for all templates. */
export const headerKey = (key: HeaderKey): string => `header.${key}`

const typedIn = (sources: Sources, key: HeaderKey): string => sources[headerKey(key)]?.text?.trim() ?? ''
/** Each recipient gets the file named in a column. */
export const isOwnFile = (source: ValueSource | undefined): boolean => source?.from === 'column'

/** Accepts a decimal comma. */
const numberIn = (sources: Sources, key: HeaderKey): number => {
  const typed = typedIn(sources, key).replace(',', '.')
  return typed === '' ? Number.NaN : Number(typed)
}

/** The kind of header values to enter. Undefined: none, or asked elsewhere. */
export const headerKindOf = (components: Components): 'VIDEO' | 'DOCUMENT' | 'LOCATION' | undefined => {
  const format = findComponent(components, 'HEADER')?.format
  return format === 'VIDEO' || format === 'DOCUMENT' || format === 'LOCATION' ? format : undefined
}

/** Uses the template's own files by default. */
export const withKeptFiles = (template: Template, sources: Sources): Sources => {
  const kept = headerKindOf(template.components) ? keptFileOf(template, null) : undefined
  const values = { ...keptValues(template), ...(kept ? { [headerKey('file')]: kept.handle } : {}) }
  const own = Object.entries(values).map(([field, text]) => [field, { from: 'fixed', text }] as const)
  return { ...Object.fromEntries(own), ...sources }
}

/** Fields with values that the header cannot use. */
export function faultyIn(components: Components, sources: Sources): readonly HeaderKey[] {
  const kind = headerKindOf(components)
  if (kind === undefined) return []
  if (kind !== 'LOCATION')
    return isOwnFile(sources[headerKey('file')]) || isFilePlace(typedIn(sources, 'file')) ? [] : ['file']
  const bounds = { latitude: 90, longitude: 180 } as const
  return (['latitude', 'longitude'] as const).filter(key => !(Math.abs(numberIn(sources, key)) <= bounds[key]))
}

/** Header values of the plan's request. */
export function headerValuesOf(
  components: Components,
  sources: Sources,
): Pick<Values, 'image' | 'file' | 'fileName' | 'location'> {
  const kind = headerKindOf(components)
  if (kind === undefined) return {}
  const own = sources[headerKey('file')]
  const fileName = kind === 'DOCUMENT' ? typedIn(sources, 'fileName') : ''
  if (kind !== 'LOCATION')
    return {
      ...(own && isOwnFile(own) ? { file: own } : { image: typedIn(sources, 'file') }),
      ...(fileName ? { fileName: { from: 'fixed' as const, text: fileName } } : {}),
    }
  const [name, address] = [typedIn(sources, 'placeName'), typedIn(sources, 'address')]
  return {
    location: {
      latitude: numberIn(sources, 'latitude'),
      longitude: numberIn(sources, 'longitude'),
      ...(name ? { name } : {}),
      ...(name && address ? { address } : {}),
    },
  }
}

/** The sources of a request's header values. */
export function headerSourcesOf(components: Components, values: PlanInput['values']): Sources {
  const kind = headerKindOf(components)
  if (kind === undefined) return {}
  const { image = '', file, fileName, location } = values ?? {}
  const texts: Partial<Record<HeaderKey, string>> =
    kind !== 'LOCATION'
      ? { file: image, fileName: fileName?.text ?? '' }
      : location
        ? {
            latitude: String(location.latitude),
            longitude: String(location.longitude),
            placeName: location.name ?? '',
            address: location.address ?? '',
          }
        : {}
  const typed = Object.fromEntries(
    keys.flatMap(key => (texts[key] ? [[headerKey(key), { from: 'fixed' as const, text: texts[key] }]] : [])),
  )
  return file ? { ...typed, [headerKey('file')]: file } : typed
}
