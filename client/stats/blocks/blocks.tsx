import { type ComponentType, Suspense } from 'react'
import type { BlockName } from '#shared/stats/blocks.ts'
import { blockNames } from '#shared/stats/blocks.ts'
import { BulkSends } from './bulk-sends.tsx'
import { Flows } from './flows.tsx'
import { Health } from './health.tsx'

const drawn: { readonly [N in BlockName]: ComponentType } = { bulkSends: BulkSends, flows: Flows, health: Health }

/** The blocks of a range, in their order. */
export function Blocks() {
  return blockNames.map(name => {
    const Block = drawn[name]
    return (
      <Suspense key={name} fallback={<div className="skeleton stats-block-skeleton" aria-hidden="true" />}>
        <Block />
      </Suspense>
    )
  })
}
