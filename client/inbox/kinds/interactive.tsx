import { Fragment } from 'react'
import { RichText } from '../thread/bubble/rich-text.tsx'
import type { BodyProps, KindViews } from './kind.ts'

/** Shows the options that the customer can tap. */
const InteractiveBody = ({ message, t }: BodyProps) => {
  const { header, footer, buttons, list, link, product } = message.interactive ?? {}
  return (
    <>
      {header ? <b className="bubble-title">{header}</b> : null}
      <RichText text={message.text} />
      {footer ? <small className="bubble-footer">{footer}</small> : null}
      <ul className="options" aria-label={t('bubble.options')}>
        {link ? (
          <li>
            <a href={link.url} target="_blank" rel="noopener noreferrer nofollow">
              {link.title}
            </a>
          </li>
        ) : null}
        {product ? <li>{t('bubble.product', { id: product.productRetailerId })}</li> : null}
        {buttons?.map(button => (
          <li key={button.id}>{button.title}</li>
        ))}
        {list?.sections.map((section, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the sections of one message never move
          <Fragment key={i}>
            {section.title ? <li className="options-title">{section.title}</li> : null}
            {section.rows.map(row => (
              <li key={row.id}>
                {row.title}
                {row.description ? <small>{row.description}</small> : null}
              </li>
            ))}
          </Fragment>
        ))}
      </ul>
    </>
  )
}

export const interactiveViews = { interactive: { Body: InteractiveBody } } satisfies KindViews
