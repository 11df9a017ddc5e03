import { RichText } from '../thread/bubble/rich-text.tsx'
import type { BodyProps, KindViews } from './kind.ts'

const TextBody = ({ message }: BodyProps) => <RichText text={message.text} />

export const textViews = { text: { Body: TextBody } } satisfies KindViews
