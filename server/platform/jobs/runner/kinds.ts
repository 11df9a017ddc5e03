import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { AnyKind } from '../job.ts'

/** The registered kinds, with their schemas. */
export function createKinds() {
  const known = new Map<string, { kind: AnyKind; check: (payload: unknown) => boolean }>()
  const check = (name: string, payload: unknown): boolean => known.get(name)?.check(payload) ?? false
  return {
    check,
    register(kind: AnyKind, schema: TSchema) {
      if (known.has(kind.name)) throw new Error(`Two kinds of job are called ${kind.name}`)
      const compiled = Compile(schema)
      known.set(kind.name, { kind, check: payload => compiled.Check(payload) })
    },
    /** @throws if the payload does not match */
    read(kind: AnyKind, text: string): unknown {
      const payload: unknown = JSON.parse(text)
      if (!check(kind.name, payload)) throw new Error(`A row of ${kind.name} does not fit its schema`)
      return payload
    },
    of: (name: string): AnyKind | undefined => known.get(name)?.kind,
    names: (): string[] => [...known.keys()],
    all: (): AnyKind[] => Array.from(known.values(), ({ kind }) => kind),
  }
}
