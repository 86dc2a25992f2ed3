/** `again`: nobody took it, deliver later. `dropped`: whoever answered will never take it. */
export type Delivery = "delivered" | "again" | "dropped";

/** Of a gateway that does not know the function yet, of a queue that is full, or where a token ended and its successor is not mounted yet. */
const NOT_YET = new Set([401, 404, 408, 425, 429]);

/** What an answer of this HTTP status means for the event that was sent. */
export const deliveryOf = (status: number): Delivery => {
  if (status >= 200 && status < 300) return "delivered";
  return status >= 400 && status < 500 && !NOT_YET.has(status) ? "dropped" : "again";
};
