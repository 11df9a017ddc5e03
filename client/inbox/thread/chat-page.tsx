import { useOutletContext, useParams } from 'react-router'
import type { InboxOutlet } from '../outlet.ts'
import { Thread } from './thread.tsx'

export { chatLoader as loader } from '../loader.ts'

/** `/org/{slug}/c/{phone}`: one conversation beside the list. */
export default function ChatPage() {
  const { org = '', phone = '' } = useParams()
  const { files } = useOutletContext<InboxOutlet>()
  return <Thread org={org} phone={phone} files={files} />
}
