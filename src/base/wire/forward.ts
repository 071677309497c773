// A wire's calls as plain methods, derived from the definition: a new call is a new method without further code.
import { z } from 'zod'
import type { WireClient } from './client'
import { type CallName, type CallSpec, call, type ParamsOf, type WireSpec } from './define'

/** A call whose parameters have an order, so that it can become a method with positional arguments. */
interface OrderedCallSpec<
  O extends readonly string[] = readonly string[],
  S extends z.ZodRawShape = z.ZodRawShape,
  R extends z.ZodType = z.ZodType,
> extends CallSpec<z.ZodObject<S>, R> {
  /** Parameter names in argument order. Trailing ones that have a default may be omitted. */
  readonly order: O
}

/** Declares a worker call that is also a method. @param order every name of `shape`, once */
export function ordered<const O extends readonly (keyof S & string)[], S extends z.ZodRawShape, R extends z.ZodType>(
  order: O & Whole<S, O>,
  shape: S,
  result: R,
): OrderedCallSpec<O, S, R> {
  return { ...call(z.object(shape), result), order }
}

/** `never` while the order misses a name of the shape. */
type Whole<S, O extends readonly string[]> = Exclude<keyof S & string, O[number]> extends never ? unknown : never
/** Accepts read-only arrays. */
type Given<T> = T extends (infer U)[] ? readonly U[] : T
type Arguments<S, O> = O extends readonly [infer N extends keyof S, ...infer Rest]
  ? undefined extends z.input<S[N]>
    ? [argument?: Given<z.input<S[N]>>, ...rest: Arguments<S, Rest>]
    : [argument: Given<z.input<S[N]>>, ...rest: Arguments<S, Rest>]
  : []
type MethodArguments<C extends CallSpec> =
  C extends OrderedCallSpec<infer O, infer S> ? Arguments<S, O> : [params: z.input<C['params']>]
type MethodName<N, P extends string> = N extends `${P}${infer Rest}` ? Uncapitalize<Rest> : never

/** One method for each call; with the prefix `chain.p2p`, `chain.p2pBodies` becomes `bodies`. */
export type Forwarded<C extends Readonly<Record<string, CallSpec>>, P extends string> = {
  readonly [N in keyof C as MethodName<N, P>]: (...given: MethodArguments<C[N]>) => Promise<z.output<C[N]['result']>>
}

/**
 * Methods that call over a wire; a call without an order takes one object.
 * @param client asked at each call; what it throws rejects the call @param prefix of every name in `calls`
 */
export function forward<W extends WireSpec, C extends Readonly<Record<string, CallSpec>>, P extends string>(
  client: () => Pick<WireClient<W>, 'call'>,
  calls: C,
  prefix: P,
): Forwarded<C, P> {
  const methods = Object.entries(calls).map(([name, spec]) => {
    const behind = name.slice(prefix.length)
    const method = async (...given: readonly unknown[]) =>
      client().call(name as CallName<W>, paramsOf(spec, given) as ParamsOf<W, CallName<W>>)
    return [`${behind.charAt(0).toLowerCase()}${behind.slice(1)}`, method]
  })
  return Object.fromEntries(methods)
}

function paramsOf(spec: CallSpec, given: readonly unknown[]): unknown {
  if (!('order' in spec)) return given[0]
  const { order } = spec as OrderedCallSpec
  return Object.fromEntries(order.map((name, index) => [name, given[index]]))
}
