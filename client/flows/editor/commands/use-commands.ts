import { useTranslation } from 'react-i18next'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { stepButton } from '../../outline/outline.tsx'
import type { KeptDraft } from '../draft/kept-draft.ts'
import type { EditorActions } from '../editor-context.ts'
import type { Selection } from '../use-selection.ts'
import { useEditorActionsOf } from './use-actions.ts'
import { useEditorKeys } from './use-keys.ts'

/** The changes that the views and the panel make, also by keys. Returns them. */
export function useEditorCommands(kept: KeptDraft, selection: Selection, isReadOnly: boolean): EditorActions {
  const { t } = useTranslation('flows')
  const { dispatch } = kept
  const { selected, select, reveal, setFreshId } = selection
  const actions = useEditorActionsOf({
    graph: () => kept.now().present.graph,
    selected,
    isReadOnly,
    dispatch,
    select,
    reveal,
    focusStep: id => {
      // After the focused step has been removed.
      if (id) requestAnimationFrame(() => stepButton(id)?.focus())
    },
    onAdded: setFreshId,
    onCopied: count => toast(t('copied', { count }), { kind: 'success' }),
    onNothingToPaste: () => toast(t('nothingCopied')),
  })
  useEditorKeys({
    undo: () => dispatch({ type: 'undo' }),
    redo: () => dispatch({ type: 'redo' }),
    save: () => void kept.flush(),
    copy: () => actions.copy(selected),
    cut: () => {
      actions.copy(selected)
      actions.remove(selected)
    },
    paste: text => actions.paste(undefined, text),
    duplicate: () => actions.duplicate(selected),
    selectAll: () => actions.select(kept.now().present.graph.nodes.map(({ id }) => id)),
  })
  return actions
}
