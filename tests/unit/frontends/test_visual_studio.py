"""Projects of Visual Studio: whether CUDA's rules for MSBuild compile something in them."""

from __future__ import annotations

import pytest

from cudamigrate.frontends import visual_studio
from cudamigrate.model import SourceFile


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('<CudaCompile Include="a.cu" />', "CudaCompile"),
        ('<CudaCompile\n  Include="a.cu" />', "CudaCompile"),
        ('<Import Project="$(VCTargetsPath)\\BuildCustomizations\\CUDA 11.8.props" />', "CUDA 11.8.props"),
        ("<CudaCompile><TargetMachinePlatform>64</TargetMachinePlatform></CudaCompile>", ""),
        (
            "<CudaCompile>\n <FastMath/>\n <CodeGeneration>compute_30,sm_30</CodeGeneration></CudaCompile>",
            "CudaCompile",
        ),
        ("<CudaCompile><Include>$(ProjectDir)..;$(CUDA_PATH)\\include</Include></CudaCompile>", "CudaCompile"),
        ("<CudaCompile><Include>$(ProjectDir)..</Include></CudaCompile><A>$(CUDA_PATH)</A>", ""),
        ("<CudaCompile><CodeGeneration></CodeGeneration></CudaCompile>", ""),
        ('<!-- <CudaCompile\n Include="a.cu" /> -->', ""),
        ('<ClCompile Include="CUDA 11.8.props" />', ""),
        ('<Import Project="$(VCTargetsPath)\\BuildCustomizations\\masm.props" />', ""),
        ("<Import", ""),
    ],
)
def test_what_cuda_builds_is_found_once(text: str, found: str) -> None:
    source = SourceFile("a.vcxproj", (text + text).encode(), "visual-studio")
    uses = visual_studio.parse(source).uses
    assert [source.text(use.span) for use in uses] == ([found] if found else [])
