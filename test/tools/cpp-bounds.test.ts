// C++ bounds are counted correctly: what is a function, how long it is, and how many parameters it has.
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { z } from 'zod'

interface Found {
  readonly name: string
  readonly line: number
  readonly lines: number
  readonly parameters: number
}

const { cppFunctions, checkCppStyle } = z
  .object({
    cppFunctions: z.custom<(text: string) => readonly Found[]>(),
    checkCppStyle: z.custom<(rules: unknown, path: string, text: string) => readonly { readonly message: string }[]>(),
  })
  .parse(await import(pathToFileURL(resolve(import.meta.dirname, '../../tools/lint/style-cpp.mjs')).href))

const SOURCE = `#include "a.h"
#define MAKE(a, b, c, d, e) { a; }
HEADFRAME_TARGET_BEGIN("avx2,bmi")
namespace headframe {
struct Pair {
  Pair(int a, std::map<int, int> b) : a_(a), b_{std::move(b)} {
    run([](int x) { return x; });
  }
  int of(int, int) const { return 1; }
};
template <class V, int N>
static V* fold(const V (&b)[5], std::function<void(int, int)> done, int c, int d, int e) noexcept {
  if (c > d) {  // }
    return "}{";
  }
  return '{' + 1'000;
}
constexpr int sizes[] = {1, 2, 3};
TEST_CASE("it (works)", {
  CHECK(true);
});
EXPORT Code cuLaunch(int a, int b, int c, int d, int e) { return 0; }
}  // namespace headframe
`

it('finds functions, constructors and cases, and nothing else', () => {
  expect(cppFunctions(SOURCE)).toEqual([
    { name: 'Pair', line: 6, lines: 3, parameters: 2 },
    { name: 'of', line: 9, lines: 1, parameters: 2 },
    { name: 'fold', line: 11, lines: 7, parameters: 5 },
    { name: 'TEST_CASE', line: 19, lines: 3, parameters: 0 },
    { name: 'cuLaunch', line: 22, lines: 1, parameters: 0 },
  ])
})

it('reports what exceeds a bound, and only that', () => {
  const messages = (bounds: object) => checkCppStyle({ bounds }, 'a.cpp', SOURCE).map(({ message }) => message)

  expect(messages({ fileLines: 400, functionLines: 60, parameters: 5 })).toEqual([])
  expect(messages({ fileLines: 10, functionLines: 6, parameters: 4 })).toEqual([
    '23 lines, 10 at most',
    'fold: 7 lines, a function has 6 at most',
    'fold: 5 parameters, 4 at most: more go into a struct',
  ])
})
