# The addon. The same sources, without src/addon, are the test program and the benchmark of CMakeLists.txt.
# Vector code switches its instruction set on inside its own files, so no file needs flags of its own.
{
  'targets': [{
    'target_name': 'headframe',
    'sources': [
      'src/addon/addon.cpp',
      'src/addon/dataset_functions.cpp',
      'src/addon/environment.cpp',
      'src/addon/hash_functions.cpp',
      'src/addon/mailbox.cpp',
      'src/addon/search_functions.cpp',
      'src/addon/sensor_functions.cpp',
      'src/addon/worker_pool.cpp',
      'src/farm/cpu_search.cpp',
      'src/sensors/nvml.cpp',
      'src/xhash/cache.cpp',
      'src/xhash/dataset.cpp',
      'src/xhash/huge_buffer.cpp',
      'src/xhash/keccak.cpp',
      'src/xhash/kernels.cpp',
      'src/xhash/kernels_avx2.cpp',
      'src/xhash/kernels_avx512.cpp',
      'src/xhash/kernels_scalar.cpp',
      'src/xhash/priority.cpp',
      'src/xhash/simd.cpp',
      'src/xhash/sizes.cpp',
    ],
    'include_dirs': ['<!(node -p "require(\'node-addon-api\').include_dir")'],
    'defines': [
      'NAPI_VERSION=8',
      'NAPI_DISABLE_CPP_EXCEPTIONS',
      'NODE_API_NO_EXTERNAL_BUFFERS_ALLOWED',
      # A worker that is being terminated refuses every call, throwing included: then nothing is to be done.
      'NODE_API_SWALLOW_UNTHROWABLE_EXCEPTIONS',
    ],
    'cflags': ['-O3', '-Wall', '-Wextra', '-Wno-unused-parameter'],
    'cflags_cc': ['-std=c++20', '-fvisibility=hidden'],
    'cflags_cc!': ['-std=gnu++17', '-std=gnu++20'],
    'conditions': [
      ['OS=="linux"', {'libraries': ['-pthread', '-ldl']}],
      ['OS=="mac"', {
        'xcode_settings': {
          'CLANG_CXX_LANGUAGE_STANDARD': 'c++20',
          'CLANG_CXX_LIBRARY': 'libc++',
          'GCC_OPTIMIZATION_LEVEL': '3',
          'GCC_ENABLE_CPP_EXCEPTIONS': 'YES',
          'GCC_SYMBOLS_PRIVATE_EXTERN': 'YES',
          'MACOSX_DEPLOYMENT_TARGET': '11.0',
        },
      }],
      ['OS=="win"', {'msvs_settings': {'VCCLCompilerTool': {
        'AdditionalOptions': ['/std:c++20', '/O2'], 'ExceptionHandling': 1}}}],
    ],
  }],
}
