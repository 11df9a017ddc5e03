import { HeaderFields } from '../../values/header-fields.tsx'
import { ValueFields } from '../../values/value-fields.tsx'
import type { Composition } from '../use-composition.ts'

interface ValuesStepProps {
  readonly composition: Composition
  readonly areMissingShown: boolean
  /** Applies a change that invalidates the plan. */
  change(apply: () => void): void
}

/** The third step: the header's file and what stands in the place of each variable. */
export function ValuesStep({ composition, areMissingShown, change }: ValuesStepProps) {
  const { template, typed, sources, fields, setSources } = composition
  if (!template) return null
  const columns = typed.file?.check.columns ?? []
  const changeSources = (next: typeof sources) => change(() => setSources(next))
  return (
    <>
      <HeaderFields {...{ template, sources, columns, areMissingShown }} onChange={changeSources} />
      <ValueFields {...{ template, sources, columns, fields, areMissingShown }} onChange={changeSources} />
    </>
  )
}
