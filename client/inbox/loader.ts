import { data, type LoaderFunctionArgs, replace } from 'react-router'
import { queryClientContext, settle, start } from '#client/app/queries/queries.ts'
import { wabaQuery } from '#client/shell/org-queries.ts'
import { requireViewer, viewerQuery } from '#client/shell/viewer.ts'
import { tagsQuery } from '#client/tags/queries.ts'
import { addressOfConversation } from '#shared/inbox/chat-address.ts'
import type { Conversation } from '#shared/inbox/conversations.ts'
import { paths } from '#shared/kernel/paths.ts'
import { chatAddressForm } from '#shared/kernel/phone.ts'
import { aroundOf } from './list/list-address.ts'
import { isSearch, readListFilter } from './list/list-filter.ts'
import { viewsQuery } from './list/views/views-query.ts'
import { controlQueries, conversationQuery, conversationsQuery, foundQuery, messagesQuery } from './queries.ts'
import { aroundQuery } from './thread/around.ts'

const aboutUs = (org: string) => [wabaQuery(org), viewerQuery]

/** Starts the list. Slow answers arrive under its skeleton. */
export const inboxLoader = async (args: LoaderFunctionArgs) => {
  const { org = '' } = args.params
  const filter = readListFilter(new URL(args.request.url).searchParams)
  const userId = filter.assignee === 'me' ? (await requireViewer(args)).user.id : ''
  const tags = filter.tags?.length ? [tagsQuery(org)] : []
  const list = isSearch(filter)
    ? foundQuery(org, filter.search, filter.within)
    : conversationsQuery(org, filter, userId)
  // Server: the views stand above the list, so the first HTML has them. A failure leaves them out.
  const views = typeof document === 'undefined' && args.context.get(queryClientContext).prefetchQuery(viewsQuery(org))
  await start(args, list, ...tags, ...aboutUs(org))
  await views
  return null
}

/**
 * Starts one chat. Another spelling of the number is replaced in the address by WhatsApp's, or by the chat's id if the
 * customer may have one with each of our numbers.
 */
export async function chatLoader(args: LoaderFunctionArgs): Promise<Response | null> {
  const { org = '', phone = '' } = args.params
  // Programs get 400; for a person a mistyped address is a missing page.
  if (!chatAddressForm.test(phone)) throw data(null, { status: 404 })
  const conversation = conversationQuery(org, phone)
  const client = args.context.get(queryClientContext)
  const around = aroundOf(new URL(args.request.url).search)
  // The chat is shown even if the message no longer exists; the page says so.
  const isThere = around && client.prefetchQuery(aroundQuery(org, phone, around))
  const control = controlQueries(org, client.getQueryData<Conversation>(conversation.queryKey))
  await start(args, conversation, messagesQuery(org, phone), ...control, ...aboutUs(org))
  if (typeof document === 'undefined') {
    // Server: the answer decides status and address. The browser shows that the chat is opening.
    const [attending] = controlQueries(org, await settle(args, conversation))
    if (attending) await client.prefetchQuery(attending)
    // Server: the first HTML contains the message. The browser shows the chat and loads it there.
    await isThere
  }
  const found = client.getQueryData<Conversation>(conversation.queryKey)
  return found && addressOfConversation(found) !== phone
    ? replace(paths.chat(org, addressOfConversation(found)) + new URL(args.request.url).search)
    : null
}
