import { useMemo, useState } from 'react'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { contactFieldsQuery } from '#client/segments/queries.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { withFields } from '../values/value-fields.tsx'
import type { Beginning } from './beginning/beginning.ts'
import { stepsOf } from './beginning/draft-steps.ts'
import { requestOf } from './request.ts'

/** The state of a new send's form, with the steps that a draft stores and the request that is sent. */
export function useComposition(from: Beginning) {
  const { slug } = useOrg()
  const { items: fields } = useAnswer(contactFieldsQuery(slug))
  const [name, setName] = useState(from.name)
  const [template, setTemplate] = useState(from.template)
  const [typed, setTyped] = useState(from.typed)
  const [chosen, setSources] = useState(from.sources)
  const [cap, setCap] = useState(from.cap)
  const [care, setCare] = useState(from.care)
  const sources = useMemo(() => withFields(chosen, fields), [chosen, fields])
  const steps = useMemo(
    () => stepsOf({ name, template, typed, sources: chosen, cap, care }),
    [name, template, typed, chosen, cap, care],
  )
  const asked = useMemo(() => requestOf({ template, typed, sources, cap }), [template, typed, sources, cap])
  return {
    ...{ name, template, typed, sources, cap, care, fields },
    ...{ setName, setTemplate, setTyped, setSources, setCap, setCare },
    /** As a draft stores them. */
    steps,
    asked,
    /** The complete request. Undefined: something is missing. */
    whole: asked.areValuesMissing ? undefined : asked.request,
  }
}

export type Composition = ReturnType<typeof useComposition>
