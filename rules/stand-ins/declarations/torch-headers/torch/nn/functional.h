// cudamigrate declarations: PyTorch for ROCm, names and types only; not the library's own header
#pragma once

#include <torch/types.h>

#include <optional>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

namespace torch {
namespace enumtype {
#define CM_WORD(name) struct name { name() {} };
#define CM_WORDS(X)                                                                                              \
    X(kArea) X(kBicubic) X(kBilinear) X(kBorder) X(kCircular) X(kConstant) X(kLinear) X(kMean) X(kNearest)       \
    X(kNearestExact) X(kNone) X(kReflect) X(kReflection) X(kReplicate) X(kSum) X(kTrilinear) X(kZeros)
CM_WORDS(CM_WORD)
#undef CM_WORD
}  // namespace enumtype
#define CM_VALUE(name) extern const enumtype::name name;
CM_WORDS(CM_VALUE)
#undef CM_VALUE
#undef CM_WORDS

namespace nn::functional {
#define CM_OPTION(self, name, ...)      \
    self &name(const __VA_ARGS__ &);    \
    self &name(__VA_ARGS__ &&);         \
    const __VA_ARGS__ &name() const;    \
    __VA_ARGS__ &name();

struct DropoutFuncOptions {
    CM_OPTION(DropoutFuncOptions, inplace, bool)
    CM_OPTION(DropoutFuncOptions, p, double)
    CM_OPTION(DropoutFuncOptions, training, bool)
};
struct ELUFuncOptions {
    CM_OPTION(ELUFuncOptions, alpha, double)
    CM_OPTION(ELUFuncOptions, inplace, bool)
};
struct GELUFuncOptions {
    CM_OPTION(GELUFuncOptions, approximate, std::string)
};
struct GridSampleFuncOptions {
    using mode_t = std::variant<enumtype::kBilinear, enumtype::kNearest, enumtype::kBicubic>;
    using padding_mode_t = std::variant<enumtype::kZeros, enumtype::kBorder, enumtype::kReflection>;
    CM_OPTION(GridSampleFuncOptions, align_corners, std::optional<bool>)
    CM_OPTION(GridSampleFuncOptions, mode, mode_t)
    CM_OPTION(GridSampleFuncOptions, padding_mode, padding_mode_t)
};
struct GroupNormFuncOptions {
    GroupNormFuncOptions(int64_t);
    CM_OPTION(GroupNormFuncOptions, bias, Tensor)
    CM_OPTION(GroupNormFuncOptions, eps, double)
    CM_OPTION(GroupNormFuncOptions, num_groups, int64_t)
    CM_OPTION(GroupNormFuncOptions, weight, Tensor)
};
struct InterpolateFuncOptions {
    using mode_t = std::variant<enumtype::kNearest, enumtype::kLinear, enumtype::kBilinear, enumtype::kBicubic,
                                enumtype::kTrilinear, enumtype::kArea, enumtype::kNearestExact>;
    CM_OPTION(InterpolateFuncOptions, align_corners, std::optional<bool>)
    CM_OPTION(InterpolateFuncOptions, antialias, bool)
    CM_OPTION(InterpolateFuncOptions, mode, mode_t)
    CM_OPTION(InterpolateFuncOptions, recompute_scale_factor, std::optional<bool>)
    CM_OPTION(InterpolateFuncOptions, scale_factor, std::optional<std::vector<double>>)
    CM_OPTION(InterpolateFuncOptions, size, std::optional<std::vector<int64_t>>)
};
struct LayerNormFuncOptions {
    LayerNormFuncOptions(std::vector<int64_t>);
    CM_OPTION(LayerNormFuncOptions, bias, Tensor)
    CM_OPTION(LayerNormFuncOptions, eps, double)
    CM_OPTION(LayerNormFuncOptions, normalized_shape, std::vector<int64_t>)
    CM_OPTION(LayerNormFuncOptions, weight, Tensor)
};
struct LeakyReLUFuncOptions {
    CM_OPTION(LeakyReLUFuncOptions, inplace, bool)
    CM_OPTION(LeakyReLUFuncOptions, negative_slope, double)
};
struct MSELossFuncOptions {
    using reduction_t = std::variant<enumtype::kNone, enumtype::kMean, enumtype::kSum>;
    MSELossFuncOptions(reduction_t = {});
    CM_OPTION(MSELossFuncOptions, reduction, reduction_t)
};
struct NormalizeFuncOptions {
    CM_OPTION(NormalizeFuncOptions, dim, int64_t)
    CM_OPTION(NormalizeFuncOptions, eps, double)
    CM_OPTION(NormalizeFuncOptions, out, std::optional<Tensor>)
    CM_OPTION(NormalizeFuncOptions, p, double)
};
struct PadFuncOptions {
    using mode_t = std::variant<enumtype::kConstant, enumtype::kReflect, enumtype::kReplicate, enumtype::kCircular>;
    PadFuncOptions(std::vector<int64_t>);
    CM_OPTION(PadFuncOptions, mode, mode_t)
    CM_OPTION(PadFuncOptions, pad, std::vector<int64_t>)
    CM_OPTION(PadFuncOptions, value, double)
};
struct ReLUFuncOptions {
    ReLUFuncOptions(bool = false);
    CM_OPTION(ReLUFuncOptions, inplace, bool)
};
struct SoftmaxFuncOptions {
    SoftmaxFuncOptions(int64_t);
    CM_OPTION(SoftmaxFuncOptions, dim, int64_t)
    CM_OPTION(SoftmaxFuncOptions, dtype, std::optional<Dtype>)
};
struct LogSoftmaxFuncOptions {
    LogSoftmaxFuncOptions(int64_t);
    CM_OPTION(LogSoftmaxFuncOptions, dim, int64_t)
    CM_OPTION(LogSoftmaxFuncOptions, dtype, std::optional<Dtype>)
};
struct SoftplusFuncOptions {
    CM_OPTION(SoftplusFuncOptions, beta, double)
    CM_OPTION(SoftplusFuncOptions, threshold, double)
};
#undef CM_OPTION

Tensor dropout(Tensor, const DropoutFuncOptions & = {});
Tensor elu(Tensor, const ELUFuncOptions & = {});
Tensor gelu(const Tensor &, const GELUFuncOptions & = {});
Tensor grid_sample(const Tensor &, const Tensor &, const GridSampleFuncOptions & = {});
Tensor group_norm(const Tensor &, const GroupNormFuncOptions &);
Tensor interpolate(const Tensor &, const InterpolateFuncOptions & = {});
Tensor layer_norm(const Tensor &, const LayerNormFuncOptions &);
Tensor leaky_relu(Tensor, const LeakyReLUFuncOptions & = {});
Tensor linear(const Tensor &, const Tensor &, const Tensor & = {});
Tensor log_softmax(const Tensor &, const LogSoftmaxFuncOptions &);
Tensor logsigmoid(const Tensor &);
Tensor mish(const Tensor &);
Tensor mse_loss(const Tensor &, const Tensor &, const MSELossFuncOptions & = {});
Tensor normalize(const Tensor &, NormalizeFuncOptions = {});
Tensor one_hot(const Tensor &, int64_t = -1);
Tensor pad(const Tensor &, const PadFuncOptions &);
Tensor relu(Tensor, const ReLUFuncOptions & = {});
Tensor silu(const Tensor &);
Tensor softmax(const Tensor &, const SoftmaxFuncOptions &);
Tensor softplus(const Tensor &, const SoftplusFuncOptions & = {});
}  // namespace nn::functional
}  // namespace torch
