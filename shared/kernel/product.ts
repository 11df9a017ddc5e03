/** The product's key in names and addresses: `actionRecado`, `labelRecado`, `/{id}/template/recado`. */
export const PRODUCT_NAME = 'Recado'
export const PRODUCT_KEY = 'recado'
