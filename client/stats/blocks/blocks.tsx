import { type ComponentType, Suspense } from 'react'
import { openBlocks } from '#shared/stats/blocks.ts'
import { BulkSends } from './bulk-sends.tsx'
import { Flows } from './flows.tsx'
import { Health } from './health.tsx'
import { Templates } from './templates.tsx'

type OpenBlock = (typeof openBlocks)[number]
const drawn: { readonly [N in OpenBlock]: ComponentType } = {
  templates: Templates,
  bulkSends: BulkSends,
  flows: Flows,
  health: Health,
}

/** The blocks of a range, in their order. */
export function Blocks() {
  return openBlocks.map(name => {
    const Block = drawn[name]
    return (
      <Suspense key={name} fallback={<div className="skeleton stats-block-skeleton" aria-hidden="true" />}>
        <Block />
      </Suspense>
    )
  })
}
