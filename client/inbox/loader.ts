import { data, type LoaderFunctionArgs, replace } from 'react-router'
import { queryClientContext, queryFor, start } from '#client/queries.ts'
import { viewerQuery } from '#client/shell/viewer.ts'
import { addressOfConversation } from '#shared/chat-address.ts'
import type { Conversation } from '#shared/inbox.ts'
import { paths } from '#shared/paths.ts'
import { chatAddressForm } from '#shared/phone.ts'
import { conversationQuery, conversationsQuery, filterOf, messagesQuery } from './queries.ts'

const aboutUs = (org: string) => [queryFor(org, 'numbers.getWaba', {}), viewerQuery]

/** Starts the list; what is slow arrives under its skeleton. */
export const inboxLoader = (args: LoaderFunctionArgs) => {
  const { org = '' } = args.params
  return start(args, conversationsQuery(org, filterOf(new URL(args.request.url).searchParams)), ...aboutUs(org))
}

/**
 * Starts one chat; another spelling of the number ends, in the address bar, on the one WhatsApp uses, or on the chat's id
 * where the customer may have one with each of our numbers.
 */
export async function chatLoader(args: LoaderFunctionArgs): Promise<Response | null> {
  const { org = '', phone = '' } = args.params
  // To a program this is a 400; to whoever mistyped an address it is a page that does not exist.
  if (!chatAddressForm.test(phone)) throw data(null, { status: 404 })
  const conversation = conversationQuery(org, phone)
  await start(args, conversation, messagesQuery(org, phone), ...aboutUs(org))
  const found = args.context.get(queryClientContext).getQueryData<Conversation>(conversation.queryKey)
  return found && addressOfConversation(found) !== phone
    ? replace(paths.chat(org, addressOfConversation(found)) + new URL(args.request.url).search)
    : null
}
