import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import type { Flow } from '#shared/flows/api.ts'
import { type FlowDraft, readDraft } from './draft/draft.ts'
import type { KeptDraft } from './draft/kept-draft.ts'
import { useEditorFacts } from './editor-context.ts'

const PublishDialog = lazyDialog(() => import('./versions/publish-dialog.tsx'))
const VersionsDialog = lazyDialog(() => import('./versions/versions-dialog.tsx'))
const TryDialog = lazyDialog(() => import('../play/try-dialog.tsx'))
const TestDialog = lazyDialog(() => import('../play/test-dialog.tsx'))
const ReplayDialog = lazyDialog(() => import('../runs/replay-dialog.tsx'))

export type EditorDialog = 'publish' | 'versions' | 'try' | 'replay' | 'test'

interface EditorDialogsProps {
  readonly open: EditorDialog | undefined
  readonly flow: Flow
  readonly kept: KeptDraft
  readonly draft: FlowDraft
  /** Stores the server's response for the whole page. Returns its revision. */
  accept(next: Flow): number
  onClose(): void
}

/** The dialog that is open, if any. */
export function EditorDialogs({ open, flow, kept, draft, accept, onClose }: EditorDialogsProps) {
  const { names, isReadOnly, problems } = useEditorFacts()
  const { flush, revision } = kept
  switch (open) {
    case 'publish':
      return (
        <PublishDialog
          flow={flow}
          warnings={problems.filter(({ isError }) => !isError).length}
          revision={revision}
          onPublished={next => kept.accept(accept(next))}
          onClose={onClose}
        />
      )
    case 'versions':
      return (
        <VersionsDialog
          {...{ flow, draft, isReadOnly, flush, revision, onClose }}
          onRestored={next => kept.settle(accept(next), readDraft(next))}
        />
      )
    case 'replay':
      return <ReplayDialog {...{ flow, flush, onClose }} graph={draft.graph} triggers={draft.triggers} />
    case 'test':
      return <TestDialog {...{ flow, flush, onClose }} />
    case 'try':
      return <TryDialog {...{ flow, names, flush, onClose }} />
    default:
      return null
  }
}
