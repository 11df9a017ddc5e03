/**
 * A form for one field, which names it by its id: with each letter browsers read all fields of its form, or of the page
 * where it has none, for what they could fill in. It sends nothing.
 */
export const OwnForm = ({ id }: { readonly id: string }) => (
  <form id={id} hidden onSubmit={event => event.preventDefault()} />
)
