import { queryFor } from '#client/app/queries/queries.ts'

/** The progress of a file that is being written is asked for this often. */
const progressMs = 1_000

/** The files that the viewer asked for. */
export const exportsQuery = (org: string) => ({
  ...queryFor(org, 'statsExport.listExports', {}),
  refetchInterval: ({ state }: { state: { data?: { items: readonly { state: string }[] } } }) =>
    state.data?.items.some(one => one.state === 'running') ? progressMs : (false as const),
})
